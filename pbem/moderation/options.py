"""What a table is called, and who may read it."""

from pbem.moderation.model import Action, Case, Change, Effect, FollowUp, Parameter, Refused
from pbem.moderation.telling import tell_table
from pbem.translation import later

VISIBILITY = (
    ("open", "Everybody, with the players' names"),
    ("names-hidden", "Everybody, without names"),
    ("members", "Whoever has played"),
)


def rename(case: Case) -> Effect:
    before, after = case.game.name, case.values["name"]
    if before == after:
        raise Refused("no-change", "The table is called so already.", "name")
    case.game.name = after
    case.session.add(case.game)
    tell_table(case, later("This table is called {name} now."), name=after)
    return Effect(
        ("The table gets another name.",),
        changes=(Change("name", before, after),),
        inverse=FollowUp("rename-game", case.target, {"name": before}),
    )


def change_visibility(case: Case) -> Effect:
    before, after = case.game.archive, case.values["archive"]
    if before == after:
        raise Refused("no-change", "That holds already.", "archive")
    case.game.archive = after
    case.session.add(case.game)
    tell_table(case, SAID[after])
    words = dict(VISIBILITY)
    return Effect(
        ("Who may read the game when it is over changes.",),
        changes=(Change("who may read it", words[before], words[after]),),
        inverse=FollowUp("visibility", case.target, {"archive": before}),
    )


SAID = {
    "open": later("When it is over, everybody may read this game, with your names."),
    "names-hidden": later("When it is over, everybody may read this game, without your names."),
    "members": later("When it is over, only those who have played may read this game."),
}

ACTIONS = (
    Action(
        "rename-game", "Rename the table", "Gives the table another name.", "game", rename,
        (Parameter("name", "Name", default=lambda case: case.game.name, most=60, private=True),),
    ),
    Action(
        "visibility", "Change who may read it", "In the archive, when the game is over.",
        "game", change_visibility,
        (Parameter("archive", "Who may read it", "choice", choices=VISIBILITY,
                   default=lambda case: case.game.archive),),
    ),
)  # fmt: skip
