"""What a player sets for himself, or asks the table for."""

import re
from itertools import product
from typing import Any

from pbem.commands import lexicon
from pbem.commands.faults import Fault, ambiguous, not_understood
from pbem.commands.model import Args
from pbem.commands.normalise import fold
from pbem.commands.requests.base import Asked, Request, bare, usage
from pbem.commands.requests.dates import Day, date_range, match_day
from pbem.commands.requests.durations import print_duration, read_duration
from pbem.commands.requests.tables import read_addresses
from pbem.commands.requests.zones import find_zones
from pbem.commands.speech import command_word, setting_word
from pbem.commands.vocabulary import LANGUAGES, TONGUES
from pbem.commands.words import spell

_MODES = ("html", "text", "every", "mine", "digest")
_VOTE = "yes|no|pause|end|time 72h"
_FROM = re.compile("(?:from|von|vom|從|从) ?")
_TO = re.compile(r",? ?(?:-|to|until|till|bis(?: zum)?|到|至) ?")
_TIME = r"([01]?[0-9]|2[0-4])(?::([0-5][0-9]))?(?: ?(?:uhr|點|点))?"
_HOURS = re.compile(rf"{_TIME} ?(?:-|to|until|bis|到|至) ?{_TIME}")
_LANGUAGE_NAMES = {
    fold(form): code
    for tongue in TONGUES
    for code, names in tongue.languages.items()
    for form in names.replace("|", ",").split(",")
} | {fold(code): code for code in LANGUAGES} | {
    "zh-tw": "zh-Hant", "zh-hk": "zh-Hant", "zh-cn": "zh-Hans", "zh": "zh",
}  # fmt: skip


def _text(asked: Asked) -> str:
    """The folded text behind the command word, without courtesy and question mark."""
    return spell(asked.words)


def _read_confirm(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    state = asked.only_setting("on", "off")
    return {"state": state} if state else usage("confirm", "on|off")


def _write_state(args: Args, language: str) -> str:
    return setting_word(args["state"], language) if "state" in args else ""


def _read_vacation(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    if asked.only_setting("off"):
        return {"state": "off"}
    text = _text(asked)
    at = _end(_FROM.match(text), 0)
    first = match_day(text, at)
    if not first:
        return not_understood("date-unknown", text=text[at:])
    last = first
    if first[0] < len(text):
        to = _TO.match(text, first[0])
        found = match_day(text, to.end()) if to else None
        if not found or found[0] < len(text):
            return not_understood("date-unknown", text=text[first[0] :].strip())
        last = found
    return _vacation(first[1], last[1], text, asked)


def _vacation(first: list[Day], last: list[Day], text: str, asked: Asked) -> dict[str, Any] | Fault:
    language = asked.context.language
    pairs = list(product(first, last)) if first is not last else [(day, day) for day in first]
    if not pairs:
        return not_understood("date-unknown", text=text)
    if len(pairs) > 1:
        word, to = command_word("vacation", language), setting_word("to", language)
        readings = (
            f"{word} {start.printed(language)} {to} {end.printed(language)}" for start, end in pairs
        )
        return ambiguous("which-date", tuple(readings))
    ends = date_range(*pairs[0], asked.context.today)
    return {"from": ends[0], "to": ends[1]} if ends else not_understood("date-order")


def _write_vacation(args: Args, language: str) -> str:
    if "from" not in args:
        return _write_state(args, language)
    start, end = (Day.parse(args[key]).printed(language) for key in ("from", "to"))
    return f"{start} {setting_word('to', language)} {end}"


def _end(found: re.Match[str] | None, otherwise: int) -> int:
    return found.end() if found else otherwise


def _read_zone(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    text = _text(asked)
    zones = find_zones(text)
    if not zones:
        return not_understood("zone-unknown", text=text)
    if len(zones) > 1:
        word = command_word("timezone", asked.context.language)
        readings = tuple(f"{word} {zone}" for zone in zones if zone)
        return ambiguous("which-zone", readings, text=text.upper())
    return {"zone": zones[0]}


def _read_quiet(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    if asked.only_setting("off"):
        return {"state": "off"}
    found = _HOURS.fullmatch(_text(asked))
    if not found:
        return usage("quiet", "HH:MM-HH:MM | off")
    start, end = (
        f"{int(hour) % 24:02}:{minute or '00'}"
        for hour, minute in (found.group(1, 2), found.group(3, 4))
    )
    return {"from": start, "to": end}


def _write_quiet(args: Args, language: str) -> str:
    return f"{args['from']}-{args['to']}" if "from" in args else _write_state(args, language)


def _read_remind(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    if state := asked.only_setting("on", "off"):
        return {"state": state}
    before = [read_duration(part) for part in _text(asked).split(",")]
    if any(seconds is None for seconds in before):
        return usage("remind", "on|off|24h, 6h …")
    return {"before": before}


def _write_remind(args: Args, language: str) -> str:
    if "before" in args:
        return ", ".join(map(print_duration, args["before"]))
    return _write_state(args, language)


def _read_language(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    code = _LANGUAGE_NAMES.get(_text(asked))
    if code == "zh":
        word = command_word("language", asked.context.language)
        return ambiguous("which-language", (f"{word} zh-Hant", f"{word} zh-Hans"))
    return {"language": code} if code else usage("language", "en|zh-Hant|zh-Hans|de")


def _read_mail(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    mode = asked.only_setting(*_MODES)
    return {"mail": mode} if mode else usage("mail", "html|text|every|mine|digest")


def _read_address(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    action, text = "change", asked.text
    found = lexicon.SETTINGS.match(asked.words, 0)
    if found and found[1][0] in ("add", "remove"):
        action, text = found[1][0], text.partition(" ")[2]
    addresses = read_addresses(text)
    if not addresses or len(addresses) > 1 or "@" not in addresses[0]:
        return usage("address", "NEW@ADDRESS | add ADDRESS | remove ADDRESS")
    return {"action": action, "address": addresses[0]}


def _write_address(args: Args, language: str) -> str:
    if "address" not in args:
        return ""
    action = args["action"]
    word = "" if action == "change" else f"{setting_word(action, language)} "
    return word + str(args["address"])


def _read_pause(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return {}
    return {"now": True} if asked.only_setting("now") else usage("pause", "[now]")


def _read_vote(asked: Asked) -> dict[str, Any] | Fault:
    if not asked.words:
        return usage("vote", _VOTE)
    return {"vote": asked.only_setting("yes", "no") or " ".join(asked.text.split())}


def _write_vote(args: Args, language: str) -> str:
    vote = str(args["vote"])
    return setting_word(vote, language) if vote in ("yes", "no") else vote


def _set(command: str, syntax: str, read: Any, write: Any) -> Request:
    return Request(command, syntax, read, write, harmless=False)


REQUESTS = (
    _set("confirm", "[on|off]", _read_confirm, _write_state),
    bare("undo", harmless=False),
    _set(
        "pause",
        "[now]",
        _read_pause,
        lambda args, language: setting_word("now", language) if args.get("now") else "",
    ),
    bare("resume", harmless=False),
    Request("vote", _VOTE, _read_vote, _write_vote, harmless=False),
    _set("vacation", "[DATE to DATE | off]", _read_vacation, _write_vacation),
    _set("timezone", "[ZONE]", _read_zone, lambda args, language: str(args.get("zone", ""))),
    _set("quiet", "[HH:MM-HH:MM | off]", _read_quiet, _write_quiet),
    _set("remind", "[on|off|24h, 6h …]", _read_remind, _write_remind),
    _set(
        "language",
        "[en|zh-Hant|zh-Hans|de]",
        _read_language,
        lambda args, language: str(args.get("language", "")),
    ),
    _set(
        "mail",
        "[html|text|every|mine|digest]",
        _read_mail,
        lambda args, language: setting_word(args["mail"], language) if "mail" in args else "",
    ),
    _set("address", "[NEW@ADDRESS | add ADDRESS | remove ADDRESS]", _read_address, _write_address),
    bare("my data", harmless=False),
    bare("forget me", harmless=False),
    bare("never again", harmless=False),
)
