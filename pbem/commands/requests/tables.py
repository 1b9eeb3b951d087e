"""Commands about tables: opening, joining, leaving them, and which one is meant."""

import re
from typing import Any

from pbem.commands import lexicon
from pbem.commands.faults import Fault, not_understood
from pbem.commands.model import Args
from pbem.commands.normalise import fold
from pbem.commands.requests.base import Asked, Request, bare, usage
from pbem.commands.requests.durations import print_duration, read_duration
from pbem.commands.requests.zones import find_zones
from pbem.commands.speech import setting_word
from pbem.commands.stops import stop_word
from pbem.commands.words import split_words
from pbem.timing import ControlError, PerTurn, parse_control, print_control

_ADDRESS = re.compile(r"(?:[^<>@,]{0,80}<)?([^\s<>@,;:]{1,64}@[^\s<>@,;:]{1,255}|bot:\w{1,40})>?")
_MOST_PLAYERS = 8
_LONGEST_NAME = 60
_NUMBER = re.compile("[0-9]{1,9}")
_PARTS = ("with", "for", "time", "deck")
_QUOTED = re.compile(r"""\s*(?:"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」)(?=\s|$)""")
"""A name in quotation marks, which may hold any word."""


def _numbered(command: str, *, harmless: bool, at_server: bool = False) -> Request:
    """`game N`, `join N`, `observe N`."""

    def read(asked: Asked) -> dict[str, Any] | Fault:
        words = list(asked.words)
        table = lexicon.COMMANDS.match(words, 0)
        if table and "game" in table[1]:  # "join game 7"
            del words[: table[0]]
        if len(words) == 1 and _NUMBER.fullmatch(words[0].text):
            return {"game": int(words[0].text)}
        return usage(command, "N")

    def write(args: Args, language: str) -> str:
        return str(args["game"])

    return Request(command, "N", read, write, harmless=harmless, at_server=at_server)


def read_addresses(text: str) -> list[str] | None:
    """The addresses of a list separated by commas, `Ann <ann@example.org>` or bare."""
    found = []
    for part in re.split("[,，、]", text):
        address = _ADDRESS.fullmatch(part.strip())
        if not address:
            return None
        found.append(address[1].lower())
    return list(dict.fromkeys(found)) if len(found) <= _MOST_PLAYERS else None


def _read_new_game(asked: Asked) -> dict[str, Any] | Fault:
    syntax = "NAME with ADDRESS, ADDRESS … [for N] [time 48h]"
    quoted = _QUOTED.match(asked.text)
    name = next(filter(None, quoted.groups()), "") if quoted else ""
    parts, part = {"name": name.split()}, "name"
    for token in asked.text[quoted.end() if quoted else 0 :].split():
        heading = _heading(token, after=part)
        if heading:
            if heading in parts:
                return usage("new game", syntax)
            part, parts[heading] = heading, []
        else:
            parts[part].append(token)
    # what is free in form may deny what it stands beside, and then it does not act (3.7)
    if word := stop_word(fold(" ".join(parts["name"]))):
        return not_understood("negation", word=word)
    return _game_args(parts) or usage("new game", syntax)


def _heading(token: str, *, after: str) -> str | None:
    """`with`, `for`, `time`, `deck`; a name may hold "for" and "time", so `with` comes first."""
    found = lexicon.SETTINGS.match(split_words(fold(token)), 0)
    if not found or found[0] != len(split_words(fold(token))):
        return None
    return next((word for word in _PARTS if word in found[1] and word != after), None)


def _game_args(parts: dict[str, list[str]]) -> dict[str, Any] | None:
    name = " ".join(parts["name"]).strip("\"'“”„»«「」")
    if not name or len(name) > _LONGEST_NAME:
        return None
    args: dict[str, Any] = {"name": name}
    if "with" in parts:
        addresses = read_addresses(" ".join(parts["with"]))
        if addresses is None:
            return None
        args["with"] = addresses
    if "for" in parts:
        seats = " ".join(parts["for"])
        if seats not in ("3", "4", "5"):
            return None
        args["for"] = int(seats)
    if "time" in parts:
        time = read_time(" ".join(parts["time"]))
        if time is None:
            return None
        args["time"] = time
    if "deck" in parts:
        if len(parts["deck"]) != 1:
            return None
        args["deck"] = parts["deck"][0]
    return args


def read_time(text: str) -> int | str | None:
    """A time control: seconds for each turn, or the canonical words of any other."""
    try:
        control = parse_control(
            text,
            find_zone=lambda name: zones[0] if len(zones := find_zones(name)) == 1 else None,
            read_duration=lambda words: read_duration(fold(words)),
        )
    except ControlError:
        return None
    return control.seconds if isinstance(control, PerTurn) else print_control(control)


def _write_new_game(args: Args, language: str) -> str:
    words = [_written_name(str(args["name"]))]
    if "with" in args:
        words += [setting_word("with", language), ", ".join(args["with"])]
    if "for" in args:
        words += [setting_word("for", language), str(args["for"])]
    if "time" in args:
        time = args["time"]
        written = print_duration(time) if isinstance(time, int) else str(time)
        words += [setting_word("time", language), written]
    if "deck" in args:
        words += [setting_word("deck", language), args["deck"]]
    return " ".join(words)


def _written_name(name: str) -> str:
    """In quotation marks where one of its words would end it."""
    ends = any(_heading(word, after="name") for word in name.split())
    return f"“{name}”" if ends else name


def _read_invite(asked: Asked) -> dict[str, Any] | Fault:
    addresses = read_addresses(asked.text) if asked.text else None
    return {"with": addresses} if addresses else usage("invite", "ADDRESS, ADDRESS …")


def _read_accept(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    words = asked.text.split()
    if len(words) != 1:
        return usage("accept", "[WORD]")
    if word := stop_word(fold(words[0])):
        return not_understood("negation", word=word)
    return {"word": words[0]}


REQUESTS = (
    bare("games", at_server=True),
    _numbered("game", harmless=True),
    Request(
        "new game",
        "NAME with ADDRESS, ADDRESS … [for N] [time 48h]",
        _read_new_game,
        _write_new_game,
        harmless=False,
        at_server=True,
    ),
    Request(
        "invite",
        "ADDRESS, ADDRESS …",
        _read_invite,
        lambda args, language: ", ".join(args["with"]),
        harmless=False,
    ),
    Request(
        "accept",
        "[WORD]",
        _read_accept,
        lambda args, language: str(args.get("word", "")),
        harmless=False,
    ),
    bare("decline", harmless=False),
    _numbered("join", harmless=False, at_server=True),
    bare("leave", harmless=False),
    bare("resign", harmless=False),
    bare("rematch", harmless=False),
    _numbered("observe", harmless=False),
)
