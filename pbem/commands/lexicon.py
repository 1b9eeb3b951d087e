"""All languages' words in one set of tables, and the dropping of words that say nothing (3.1)."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from pbem.commands.names import CardNames
from pbem.commands.vocabulary import TONGUES, Tongue
from pbem.commands.words import Phrases, Word


def _listed(pick: Callable[[Tongue], str]) -> Iterable[tuple[str, str]]:
    for tongue in TONGUES:
        for form in pick(tongue).replace("|", ",").split(","):
            if form.strip():
                yield form, "yes"


def _keyed(pick: Callable[[Tongue], Mapping[str, str]]) -> Iterable[tuple[str, str]]:
    for tongue in TONGUES:
        for key, listed in pick(tongue).items():
            for form in listed.replace("|", ",").split(","):
                if form.strip():
                    yield form, key


COMMANDS: Phrases[str] = Phrases(_keyed(lambda tongue: tongue.commands))
OPTIONS: Phrases[str] = Phrases(
    [
        *_keyed(lambda tongue: tongue.options),
        # every verb that takes may also be the option (`play fox L6, draw hen`)
        *(entry for entry in _keyed(lambda tongue: tongue.commands) if entry[1] == "take"),
    ]
)
KINDS: Phrases[str] = Phrases(_keyed(lambda tongue: tongue.kinds))
SETTINGS: Phrases[str] = Phrases(_keyed(lambda tongue: tongue.settings))
COURTESY: Phrases[str] = Phrases(_listed(lambda tongue: tongue.courtesy))
SUBJECTS: Phrases[str] = Phrases(_listed(lambda tongue: tongue.subjects))
FILLERS: Phrases[str] = Phrases(_listed(lambda tongue: tongue.fillers))
JOINERS: Phrases[str] = Phrases(
    [*_listed(lambda tongue: tongue.joiners), ("+", "yes"), (",", "yes")]
)
EVERYDAY: Phrases[str] = Phrases(_listed(lambda tongue: tongue.everyday))
NONE: Phrases[str] = Phrases(_listed(lambda tongue: tongue.none))
PREFIXES: Phrases[str] = Phrases(_listed(lambda tongue: tongue.prefixes))
QUESTIONS: Phrases[str] = Phrases([*_listed(lambda tongue: tongue.question), ("?", "yes")])
#: Verbs whose second half may close the line (`lade … ein`, `vertreib … hinaus`).
SEPARABLE: Phrases[str] = Phrases(
    (form, "yes")
    for tongue in TONGUES
    if tongue.prefixes
    for listed in (tongue.commands["take"], tongue.commands["play"], tongue.options["out"])
    for form in listed.split(",")
)
#: `把`, `將`: the object stands before its verb.
OBJECT_FIRST = ("把", "將", "将")


def skip_opening(words: Sequence[Word], at: int = 0) -> int:
    """Past the courtesy and subject words a line begins with, and the commas beside them."""
    while at < len(words) and not COMMANDS.match(words, at):
        found = COURTESY.match(words, at) or SUBJECTS.match(words, at)
        if not found:
            break
        at += found[0]
        while at < len(words) and words[at].text == ",":
            at += 1
    return at


def strip_courtesy(words: Sequence[Word]) -> list[Word]:
    """The words without courtesy and subject words at either end."""
    return strip_closing_courtesy(words[skip_opening(words) :])


def strip_closing_courtesy(words: Sequence[Word]) -> list[Word]:
    """The words without courtesy words at their end, and the commas beside them."""
    kept = list(words)
    while kept:
        for length in range(1, min(3, len(kept)) + 1):
            found = COURTESY.match(kept, len(kept) - length)
            if length == 1 and kept[-1].kind == "han":
                continue  # 請 stands in front; at the end it belongs to a word such as 邀請
            if found and found[0] == length:
                del kept[-length:]
                while kept and kept[-1].text == ",":
                    kept.pop()
                break
        else:
            break
    return kept


def drop(words: Sequence[Word], names: CardNames) -> list[Word]:
    """The words without courtesy, subject and filler words (3.1).

    A comma beside a dropped word is marked: it drops as well unless it is needed.
    """
    kept: list[Word] = []
    beside = False
    at = 0
    while at < len(words):
        length = _droppable(words, at, names)
        if length:
            if kept and kept[-1].text == ",":
                kept[-1].soft = True
            beside = True
            at += length
            continue
        word = words[at]
        if word.text == ",":
            word.soft = beside
        else:
            beside = False
        kept.append(word)
        at += 1
    while kept and kept[-1].soft:
        kept.pop()
    while kept and kept[0].soft:
        kept.pop(0)
    return kept


def _droppable(words: Sequence[Word], at: int, names: CardNames) -> int:
    found = FILLERS.match(words, at) or COURTESY.match(words, at) or SUBJECTS.match(words, at)
    if not found:
        return 0
    card = names.match(words, at, whole=True)
    if card and card.length >= found[0]:
        return 0
    command = COMMANDS.match(words, at)
    return 0 if command and command[0] > found[0] else found[0]
