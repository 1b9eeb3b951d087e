"""What players write to each other and to themselves: `say`, `note` (commands.md 3.13)."""

from typing import Any

from pbem.commands import lexicon
from pbem.commands.faults import Fault, not_understood
from pbem.commands.model import Args
from pbem.commands.normalise import fold
from pbem.commands.requests.base import Asked, Request, usage
from pbem.commands.speech import setting_word
from pbem.commands.words import split_words, word_ends

_COLONS = "：﹕"
_LONGEST_LIST = 400
"""Characters of a list of recipients; names have 24 at most."""


def _read_say(asked: Asked) -> dict[str, Any] | Fault:
    text = asked.text
    for colon in _COLONS:
        text = text.replace(colon, ":", 1) if ":" not in text.split(colon)[0] else text
    to, colon, said = text.partition(":")
    if not colon or not to.strip() or len(to) > _LONGEST_LIST or ";" in fold(to):
        return not_understood("say-form")
    recipients: list[str] = []
    for written in _to(to, asked.context.names).split(","):
        recipient = _recipient(written.strip(), to, asked.context.names)
        if isinstance(recipient, Fault):
            return recipient
        if recipient not in recipients:
            recipients.append(recipient)
    if not said.strip():
        return not_understood("say-empty")
    return {"to": recipients, "text": said.strip()}


def _to(written: str, names: tuple[str, ...]) -> str:
    """The folded recipients without a filler in front (`say to Ann: …`)."""
    folded = fold(written)
    words = split_words(folded)
    filler = lexicon.FILLERS.match(words, 0)
    if not filler or filler[0] == len(words) or folded.split(",")[0] in map(fold, names):
        return folded
    return folded[word_ends(folded, filler[0]) :].strip()


def _recipient(folded: str, written: str, names: tuple[str, ...]) -> str | Fault:
    """The player, `all` or `moderator`; never guessed from a beginning."""
    if not folded:
        return not_understood("say-form")
    found = lexicon.SETTINGS.match(split_words(folded), 0)
    if found and found[0] == len(split_words(folded)):
        for word in ("all", "moderator"):
            if word in found[1]:
                return word
    by_name = {fold(name): name for name in names}
    if folded in by_name:
        return by_name[folded]
    spelled = next((part.strip() for part in _parts(written) if fold(part) == folded), folded)
    return not_understood("say-nobody", name=spelled) if names else spelled


def _parts(written: str) -> list[str]:
    for comma in "，、﹐":
        written = written.replace(comma, ",")
    return written.split(",")


def _write_say(args: Args, language: str) -> str:
    to = ", ".join(
        setting_word(name, language) if name in ("all", "moderator") else name
        for name in args["to"]
    )
    text = args["text"]
    return f"{to}:\n{text}" if "\n" in text else f"{to}: {text}"


def _read_note(asked: Asked) -> dict[str, Any] | Fault:
    return {"text": asked.text} if asked.text else usage("note", "TEXT")


REQUESTS = (
    Request("say", "all: TEXT | NAME, NAME: TEXT", _read_say, _write_say, keeps_text=True),
    Request("note", "TEXT", _read_note, lambda args, language: str(args["text"]), keeps_text=True),
)
