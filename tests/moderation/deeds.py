"""One case of every action: where it is done, with which values, and what has to be done
before."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.cards import builtin_deck
from pbem.moderation import Target
from tests.moderation.world import ENDED, FILLING, RUNNING, World

CARDS = "\n".join(
    [
        "name,weight,climate,diet,kind,special",
        *(
            f"{one.name},{one.weight},{one.climate},{one.diet},{one.kind},{one.special}"
            for one in builtin_deck().cards
        ),
    ]
)
LIST = "table,name,address\n" + "\n".join(
    f"{table},{name},{name.lower()}@club.example"
    for table, names in {"North": ("Fay", "Guy", "Ida"), "South": ("Jo", "Kim", "Lou")}.items()
    for name in names
)


@dataclass(frozen=True)
class Deed:
    target: Callable[[World], Target]
    given: Mapping[str, str] = field(default_factory=dict)
    before: tuple[str, ...] = ()  # other deeds
    values: Callable[[World], Mapping[str, str]] | None = None
    later: int = 0  # seconds until its inverse
    restored: bool = True  # its inverse brings back what was

    def given_in(self, world: World) -> dict[str, str]:
        return dict(self.given if self.values is None else self.values(world))


def _game(number: int) -> Callable[[World], Target]:
    return lambda _world: Target(number)


def _seat(number: int) -> Callable[[World], Target]:
    return lambda _world: Target(RUNNING, number)


def _person(name: str) -> Callable[[World], Target]:
    return lambda world: Target(person_id=world.person(name))


def _mail(world: World) -> Target:
    return Target(mail_id=world.mail_id)


def _server(_world: World) -> Target:
    return Target()


def _back(world: World) -> Mapping[str, str]:
    """Two turns ago."""
    turns = [event.seq for event in world.table.events() if event.kind == "turn"]
    return {"to": str(turns[-2] - 1), "messages": "keep"}


CY_SEAT = _seat(2)
NAMED = {"name": "north"}
DEEDS: Mapping[str, Deed] = {
    "more-time": Deed(World.mover, {"span": "24h"}),
    "set-deadline": Deed(World.mover, {"at": "2026-12-09 12:00"}),
    "remind-now": Deed(World.mover),
    "pace": Deed(_game(RUNNING), {"control": "72h"}, restored=False),
    "more-absence": Deed(_seat(0), {"days": "7"}),
    "pause": Deed(_game(RUNNING)),
    "resume": Deed(_game(RUNNING), before=("pause",)),
    "stop-all": Deed(_server),
    "start-all": Deed(_server, before=("stop-all",)),
    "act-for": Deed(World.mover, values=lambda world: {"commands": world.legal()}),
    "play-once": Deed(World.mover),
    "roll-back": Deed(_game(RUNNING), values=_back),
    "invite-substitute": Deed(World.mover),
    "withdraw-offer": Deed(World.mover, before=("invite-substitute",), later=1, restored=False),
    "give-to-bot": Deed(CY_SEAT),
    "replace": Deed(CY_SEAT, {"who": "dan@example.net"}),
    "remove": Deed(CY_SEAT),
    "restore": Deed(CY_SEAT, before=("remove",)),
    "swap": Deed(_game(FILLING), {"first": "0", "second": "2"}),
    "open-hand": Deed(CY_SEAT),
    "resend": Deed(CY_SEAT),
    "send-again": Deed(lambda world: Target(letter_id=world.letter_id)),
    "write-to-seat": Deed(CY_SEAT, {"text": "Good evening.\nAre you there?"}),
    "write-to-table": Deed(_game(RUNNING), {"text": "Good evening."}),
    "write-to-person": Deed(_person("Cy"), {"text": "Good evening."}),
    "rename-game": Deed(_game(RUNNING), {"name": "Friday club"}),
    "visibility": Deed(_game(RUNNING), {"archive": "members"}),
    "end": Deed(_game(RUNNING)),
    "reopen": Deed(_game(ENDED)),
    "call-off": Deed(_game(FILLING)),
    "void": Deed(_game(RUNNING)),
    "count-again": Deed(_game(RUNNING), before=("void",)),
    "shelve": Deed(_game(ENDED)),
    "unshelve": Deed(_game(ENDED), before=("shelve",)),
    "read-again": Deed(_mail),
    "treat-as": Deed(_mail, {"seat": f"{RUNNING}/1"}),
    "discard": Deed(_mail),
    "change-address": Deed(_person("Cy"), {"address": "cy@new.example"}),
    "rename-person": Deed(_person("Cy"), {"name": "Cyd"}),
    "language": Deed(_person("Cy"), {"language": "de"}),
    "mute": Deed(_person("Cy")),
    "unmute": Deed(_person("Cy"), before=("mute",)),
    "mute-here": Deed(CY_SEAT),
    "unmute-here": Deed(CY_SEAT, before=("mute-here",)),
    "block": Deed(_person("Cy"), restored=False),
    "unblock": Deed(_person("Cy"), before=("block",), restored=False),
    "export": Deed(_person("Cy")),
    "anonymise": Deed(_person("Cy"), {"name": "Cy"}),
    "notice": Deed(_server, {"text": "Down on Sunday,\nfor an hour."}),
    "house-rules": Deed(_server, {"text": "Be kind."}),
    "upload-deck": Deed(_server, NAMED | {"cards": CARDS}),
    "withdraw-deck": Deed(_server, NAMED, before=("upload-deck",)),
    "offer-deck": Deed(_server, NAMED, before=("upload-deck", "withdraw-deck")),
    "extend-many": Deed(_server, {"games": "all", "span": "24h"}),
    "pause-many": Deed(_server, {"games": "1, 3"}),
    "resume-many": Deed(_server, {"games": "1-3"}, before=("pause-many",)),
    "letter-to-all": Deed(_server, {"to": "players", "games": "", "text": "Good evening."}),
    "open-tables": Deed(
        _server, {"list": LIST, "control": "72h", "deck": "house", "archive": "open"}
    ),
}
