"""Commands and texts for property tests."""

from typing import Any

from hypothesis import strategies as st

from engine.cards import KINDS
from pbem.commands.help import SYNTAX
from pbem.commands.normalise import own_words
from pbem.commands.stops import stop_word
from pbem.commands.turns import TURNS
from pbem.commands.vocabulary import TONGUES
from tests.commands.reading import HOUSE

PROVISIONS = ("grain", "dates")
CARDS = st.sampled_from([*(card.name for card in HOUSE.cards), *PROVISIONS])
CABINS = st.builds("{}{}".format, st.sampled_from("LR"), st.sampled_from([*range(1, 21), "+"]))
NUMBERS = st.integers(1, 9_999)
DATES = st.sampled_from(["2026-12-24", "2027-01-02", "2028-02-29", "2031-10-01"])
TEAM = ("Ann", "Bo", "李明", "Eve Smith")


def _optional(**values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=values)


PLAYS = st.builds(
    lambda card, cabin, options: {"card": card, "cabin": cabin, **options},
    CARDS,
    CABINS,
    _optional(out=CARDS, mark=st.sampled_from(KINDS[:4]), take=CARDS),
)
MOVES = st.one_of(
    st.builds(lambda card: {"type": "gather", "take": card}, CARDS),
    st.builds(
        lambda plays: {"type": "board", "plays": plays}, st.lists(PLAYS, min_size=1, max_size=2)
    ),
    st.builds(lambda card: {"type": "pet", "card": card}, st.none() | CARDS),
    st.just({"type": "pass"}),
)
WORDS = {"gather": "take", "board": "play", "pet": "pet", "pass": "pass"}

_LINE_TEXT = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters=";；#＃/"),
    min_size=1,
    max_size=30,
).filter(lambda text: text == own_words(text) and text.lstrip(":： ") == text and text != "")
_WORD = st.from_regex("[A-Za-z]{4,12}", fullmatch=True).filter(
    lambda word: stop_word(word.lower()) is None
)
_ADDRESS = st.from_regex(r"[a-z]{1,8}@[a-z]{2,8}\.org", fullmatch=True)
_STATE = st.fixed_dictionaries({"state": st.sampled_from(["on", "off"])})
_OFF = st.just({"state": "off"})
_NONE: st.SearchStrategy[dict[str, Any]] = st.just({})
_GAME = st.fixed_dictionaries({"game": NUMBERS})
_CONDITION = st.from_regex("[A-Z][a-z]{2,8} (takes|plays|passes) [a-z]{3,8}", fullmatch=True)

_ARGS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "preview": MOVES,
    "confirm": _NONE | _STATE,
    "plan": _NONE
    | _OFF
    | st.builds(
        lambda condition, turns: {**condition, "turns": turns},
        st.fixed_dictionaries({}, optional={"if": _CONDITION}),
        st.lists(MOVES, min_size=1, max_size=3),
    ),
    "say": st.fixed_dictionaries(
        {
            "to": st.lists(
                st.sampled_from(["all", "moderator", *TEAM]), min_size=1, max_size=4, unique=True
            ),
            "text": _LINE_TEXT,
        }
    ),
    "note": st.fixed_dictionaries({"text": _LINE_TEXT}),
    "legal": _optional(card=CARDS),
    "rules": _optional(card=CARDS),
    "why": st.fixed_dictionaries({"card": CARDS, "cabin": CABINS}),
    "history": _optional(turns=NUMBERS),
    "help": _optional(command=st.sampled_from(list(SYNTAX))),
    "game": _GAME,
    "join": _GAME,
    "observe": _GAME,
    "new game": st.fixed_dictionaries(
        {"name": st.from_regex("[A-Z][a-z]{2,9} Club", fullmatch=True)},
        optional={
            "with": st.lists(_ADDRESS, min_size=1, max_size=4, unique=True),
            "for": st.integers(3, 5),
            "time": st.integers(1, 200).map(lambda hours: hours * 3_600),
            "deck": st.just("house"),
        },
    ),
    "invite": st.fixed_dictionaries(
        {"with": st.lists(_ADDRESS, min_size=1, max_size=4, unique=True)}
    ),
    "accept": _optional(word=_WORD),
    "vote": st.fixed_dictionaries({"vote": st.sampled_from(["yes", "no"]) | _WORD}),
    "vacation": _NONE
    | _OFF
    | st.lists(DATES, min_size=2, max_size=2).map(
        lambda days: dict(zip(("from", "to"), sorted(days), strict=True))
    )
    | st.just({"from": "--12-24", "to": "--01-02"}),
    "timezone": _optional(
        zone=st.sampled_from(["Europe/Berlin", "America/Argentina/Ushuaia", "UTC", "UTC-3:30"])
    ),
    "quiet": _NONE | _OFF | st.just({"from": "22:00", "to": "07:30"}),
    "remind": _NONE
    | _STATE
    | st.fixed_dictionaries(
        {"before": st.lists(st.integers(1, 500).map(lambda m: m * 60), min_size=1, max_size=3)}
    ),
    "language": _optional(language=st.sampled_from(["en", "de", "zh-Hant", "zh-Hans"])),
    "mail": _optional(mail=st.sampled_from(["html", "text", "every", "mine", "digest"])),
    "address": _NONE
    | st.fixed_dictionaries(
        {"action": st.sampled_from(["change", "add", "remove"]), "address": _ADDRESS}
    ),
}
_TURNS = MOVES.map(lambda move: (WORDS[move["type"]], move))
_OTHERS = st.one_of(
    *(
        _ARGS.get(command, _NONE).map(lambda args, command=command: (command, args))
        for command in SYNTAX
        if command not in TURNS
    )
)
COMMANDS: st.SearchStrategy[tuple[str, dict[str, Any]]] = _TURNS | _OTHERS


def _vocabulary() -> list[str]:
    """Every word of every language, and signs that mean something."""
    words = [
        *["L1", "R2", "l+", "3L", "new", "?", "！", ";", "：", ":", ",", "、", "+", "#", "//"],
        *["›", ">", "│", "(", ")", "-", "--", "嗎", "“", "\n", "\n", "\n\n"],
        '"',
    ]
    for tongue in TONGUES:
        listed = [
            *tongue.cards.values(), *tongue.commands.values(), *tongue.options.values(),
            *tongue.kinds.values(), *tongue.settings.values(), *tongue.sides.values(),
            tongue.courtesy, tongue.subjects, tongue.fillers, tongue.joiners, tongue.none,
            tongue.prefixes, tongue.stop_words, tongue.stop_characters, tongue.sign_offs,
        ]  # fmt: skip
        words += [word.strip() for text in listed for word in text.replace("|", ",").split(",")]
    return [word for word in words if word]


SOUP = st.lists(st.sampled_from(_vocabulary()), max_size=14).map(" ".join)
"""Texts of nothing but our own words, in any order."""
GLUED = st.lists(st.sampled_from(_vocabulary()), max_size=8).map("".join)
