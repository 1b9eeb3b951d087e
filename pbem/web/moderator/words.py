"""What the dashboard's templates can say beside what all templates can."""

from pbem.letters.moments import span
from pbem.web.moderator.guard import blueprint


@blueprint.app_template_filter("length_of_time")
def length_of_time(seconds: int) -> str:
    """A length of time in its largest units: 2 days, 1 hour and 5 minutes."""
    return span(seconds)
