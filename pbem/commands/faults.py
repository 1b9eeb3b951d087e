"""What can be wrong with a line: a value with a stable code, arguments and an English sentence.

`CATALOGUE` lists every code. Translations are keyed by it and use the same arguments; where the
rules of the game refuse, the codes are those of `engine.refusals`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.refusals import Violation

NOT_UNDERSTOOD = "not understood"
AMBIGUOUS = "ambiguous"
REFUSED = "refused"
NOT_TRIED = "not tried"

CATALOGUE: dict[str, str] = {
    "not-understood": "This line is not understood. “help” lists all commands.",
    "left-over": "“{rest}” is not understood, and nothing is done unless all of the line is.",
    "no-card": "A card's name is missing here (“{rest}”). “hand” shows your cards.",
    "no-cabin": "A cabin such as L2 or R3 is missing here (“{rest}”).",
    "cabin-zero": "There is no {cabin}: cabins are numbered from 1 at the bow.",
    "which-kind": "After “mark” comes heavy, slow, shy or useful.",
    "option-twice": "“{option}” stands twice for one card; once is enough.",
    "negation": "“{word}”: a line with a negation, a condition or “or” is never carried out.",
    "prose-stop": (
        "“{word}” may change what you mean, so no turn of this mail is done. "
        "Send the turn again without that line."
    ),
    "misspelt": "A word of this line is misspelt; nothing is done before you confirm it.",
    "which-card": "More than one card fits. Which one do you mean?",
    "which-cabin": "Left or right? A new cabin needs its side.",
    "which-copy": "The copies of this provision differ. Which one do you mean?",
    "which-take": "A new cabin lets you take a display card. Which one?",
    "which-mark": "The chimpanzee's marker goes on a scoring card of your choice. Which one?",
    "one-action": "A turn is one action: take a card, or play one or two.",
    "third-play": "A turn plays one card or two, not {count}.",
    "joined-take": (
        "Taking a card is a turn of its own. The card for a new cabin stands on the line of "
        "the play."
    ),
    "take-needless": "No new cabin is opened here, and taking a card is a turn of its own.",
    "two-turns": "One turn is done at a time.",
    "mark-provision": "The chimpanzee's marker goes on any scoring card except provision.",
    "illegal": "The rules do not allow this.",
    "below-sign-off": (
        "This line stands below the end of your message. Send it again on top if you mean it."
    ),
    "too-long": "More than {most} lines: nothing was read. Please send only your commands.",
    "long-line": "This line has more than {most} characters; no command is that long.",
    "not-tried": "Not tried, because another line needs your answer first.",
    "question": "A question mark is understood behind a turn only; then it is a preview.",
    "which-table": "Which table? Write a line “game N” before it.",
    "other-table": "This address is for another table. Answer a letter of game {game}.",
    "not-here": "“{command}” needs a table. Answer a letter of that table.",
    "say-form": "Write “say all: your text” or “say Ann, Bo: your text”.",
    "say-nobody": "Nobody at this table is called “{name}”.",
    "say-empty": "There is no text to send.",
    "say-turn": "One of the lines of this message reads like a turn. Which do you mean?",
    "usage": "The form of this command is: {syntax}",
    "plan-form": "A plan is “plan TURN”, or “plan if CONDITION: TURN”.",
    "which-date": "Day and month are not clear here. Which date do you mean?",
    "date-unknown": "“{text}” is no date. Write 24 Dec or 2026-12-24.",
    "date-order": "The vacation would end before it begins.",
    "which-language": "Chinese in which script?",
    "which-zone": "“{text}” stands for more than one time zone. Which one do you mean?",
    "zone-unknown": "“{text}” is no time zone. Write a city, or UTC+8.",
}

_MOST_CABINS = 8


@dataclass(frozen=True)
class Fault:
    """Why a line is not done; `error` is one of the words of `explain`."""

    error: str
    code: str
    args: Mapping[str, object] = field(default_factory=dict)
    suggest: str | None = None
    readings: tuple[str, ...] = ()
    violations: tuple[Violation, ...] = ()

    @property
    def sentence(self) -> str:
        """The reason in English, with what to do next."""
        return sentence(self.code, self.args, self.violations)


def sentence(code: str, args: Mapping[str, object], violations: tuple[Violation, ...] = ()) -> str:
    """The English sentence of a code; the rules' own words where the rules refuse."""
    if violations and code == "illegal":
        reasons = "; ".join(f"{broken.sentence} ({broken.rule})" for broken in violations)
        fits = args.get("fits")
        return (
            f"{reasons}. It would fit {_listed(fits)}."
            if isinstance(fits, list) and fits
            else f"{reasons}."
        )
    return CATALOGUE[code].format(**args)


def _listed(cabins: list[str]) -> str:
    shown = cabins[:_MOST_CABINS]
    return ", ".join(shown) + (" …" if len(cabins) > len(shown) else "")


def not_understood(code: str = "not-understood", **args: object) -> Fault:
    """A line that says nothing the program knows."""
    return Fault(NOT_UNDERSTOOD, code, args)


def ambiguous(code: str, readings: tuple[str, ...] = (), **args: object) -> Fault:
    """A line that is asked back, with every reading as a whole line."""
    return Fault(AMBIGUOUS, code, args, readings=readings)


def refused(code: str, *rules: str, **args: object) -> Fault:
    """A line that is understood but not allowed, with the rules that say so."""
    words = CATALOGUE[code].format(**args)
    broken = tuple(Violation(rule, code, args, words) for rule in rules)
    return Fault(REFUSED, code, args, violations=broken)
