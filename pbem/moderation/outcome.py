"""What an action would do or has done, as its pages, the command line and the audit show it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pbem.moderation.model import Change, FollowUp


@dataclass(frozen=True)
class Outcome:
    """What an action would do or has done.  ``code`` is empty when it was (or can be) done,
    else why not, with ``sentence`` and the parameter it is ``about``.  ``events`` are (game, seq,
    kind), ``letters`` (kind, person); both empty in the preview of a turn.  ``key`` is what
    `carry_out` needs; ``audit_id`` the row of the audit; ``left`` how many are dealt with from
    then on, a few at a time (`pbem.moderation.going_on`)."""

    code: str = ""
    sentence: str = ""
    about: str = ""
    sentences: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    inverse: FollowUp | None = None
    events: tuple[tuple[int, int, str], ...] = ()
    letters: tuple[tuple[str, int | None], ...] = ()
    key: str = ""
    audit_id: int | None = None
    left: int = 0
    repeated: bool = False

    @property
    def ok(self) -> bool:
        return not self.code

    def to_json(self) -> dict[str, Any]:
        kept = asdict(replace(self, inverse=None))
        return kept | {"inverse": None if self.inverse is None else self.inverse.to_json()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Outcome":
        inverse = stored["inverse"]
        return cls(
            **{
                **stored,
                "sentences": tuple(stored["sentences"]),
                "warnings": tuple(stored["warnings"]),
                "changes": tuple(Change(**one) for one in stored["changes"]),
                "events": tuple((game, seq, kind) for game, seq, kind in stored["events"]),
                "letters": tuple((kind, person) for kind, person in stored["letters"]),
                "inverse": None if inverse is None else FollowUp.from_json(inverse),
            }
        )
