"""What can be wrong with a line: a value with a stable code, arguments and a sentence.

`CATALOGUE` lists every code with its English sentence, which is said in the language spoken; where
the rules of the game refuse, the codes are those of `engine.refusals`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.refusals import Violation
from pbem.commands.forms import Form
from pbem.commands.speech import command_word, option_word
from pbem.commands.violations import violations_sentence
from pbem.translation import _, language, later

NOT_UNDERSTOOD = "not understood"
AMBIGUOUS = "ambiguous"
REFUSED = "refused"
NOT_TRIED = "not tried"

CATALOGUE: dict[str, str] = {
    "not-understood": later("This line is not understood. “help” lists all commands."),
    "left-over": later(
        "“{rest}” is not understood, and nothing is done unless all of the line is."
    ),
    "no-card": later("There is no card “{rest}”. “hand” shows your cards."),
    "no-cabin": later("A cabin such as L2 or R3 is missing here (“{rest}”)."),
    "cabin-zero": later("There is no {cabin}: cabins are numbered from 1 at the bow."),
    "which-kind": later("After “mark” comes heavy, slow, shy or useful."),
    "option-twice": later("“{option}” stands twice for one card; once is enough."),
    "negation": later(
        "“{word}”: a line with a negation, a condition or “or” is never carried out."
    ),
    "prose-stop": later(
        "“{word}” may change what you mean, so no turn of this mail is done. "
        "Send the turn again without that line."
    ),
    "misspelt": later("A word of this line is misspelt; nothing is done before you confirm it."),
    "which-card": later("More than one card fits. Which one do you mean?"),
    "which-cabin": later("Left or right? A new cabin needs its side."),
    "which-copy": later("The copies of this provision differ. Which one do you mean?"),
    "which-take": later("A new cabin lets you take a display card. Which one?"),
    "which-mark": later(
        "The chimpanzee's marker goes on a scoring card of your choice. Which one?"
    ),
    "one-action": later("A turn is one action: take a card, or play one or two."),
    "third-play": later("A turn plays one card or two, not {count}."),
    "joined-take": later(
        "Taking a card is a turn of its own. The card for a new cabin stands on the line of "
        "the play."
    ),
    "take-needless": later("No new cabin is opened here, and taking a card is a turn of its own."),
    "two-turns": later("One turn is done at a time."),
    "mark-provision": later("The chimpanzee's marker goes on any scoring card except provision."),
    "illegal": later("The rules do not allow this."),
    "below-sign-off": later(
        "This line stands below the end of your message. Send it again on top if you mean it."
    ),
    "too-long": later("More than {most} lines: nothing was read. Please send only your commands."),
    "long-line": later("This line has more than {most} characters; no command is that long."),
    "not-tried": later("Not tried, because another line needs your answer first."),
    "question": later("A question mark is understood behind a turn only; then it is a preview."),
    "which-table": later("Which table? Write a line “game N” before it."),
    "other-table": later("This address is for another table. Answer a letter of game {game}."),
    "not-here": later("“{command}” needs a table. Answer a letter of that table."),
    "say-form": later("Write “say all: your text” or “say Ann, Bo: your text”."),
    "say-nobody": later("Nobody at this table is called “{name}”."),
    "say-empty": later("There is no text to send."),
    "say-turn": later("One of the lines of this message reads like a turn. Which do you mean?"),
    "no-command": later("There is no command “{word}”. “help” lists all commands."),
    "usage": later("The form of this command is: {form}"),
    "plan-form": later("A plan is “plan TURN”, or “plan if CONDITION: TURN”."),
    "which-date": later("Day and month are not clear here. Which date do you mean?"),
    "date-unknown": later("“{text}” is no date. Write 24 Dec or 2026-12-24."),
    "date-order": later("The vacation would end before it begins."),
    "which-language": later("Chinese in which script?"),
    "which-zone": later("“{text}” stands for more than one time zone. Which one do you mean?"),
    "zone-unknown": later("“{text}” is no time zone. Write a city, or UTC+8."),
}

_NO_CARD_NAMED = later("A card's name is missing here. “hand” shows your cards.")
_NO_CABIN_NAMED = later("A cabin such as L2 or R3 is missing here.")
_NOTHING_NAMED = {"no-card": _NO_CARD_NAMED, "no-cabin": _NO_CABIN_NAMED}
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
        """The reason in the language spoken, with what to do next."""
        return sentence(self.code, self.args, self.violations)


def sentence(code: str, args: Mapping[str, object], violations: tuple[Violation, ...] = ()) -> str:
    """The sentence of a code in the language spoken; the rules' own words where they refuse."""
    if violations and code == "illegal":
        reasons, fits = violations_sentence(violations), args.get("fits")
        if isinstance(fits, list) and fits:
            return _("{reasons}. It would fit {cabins}.", reasons=reasons, cabins=_listed(fits))
        return _("{reasons}.", reasons=reasons)
    if code in _NOTHING_NAMED and not args.get("rest"):
        return _(_NOTHING_NAMED[code])
    return _(CATALOGUE[code], **{name: _spoken(name, value) for name, value in args.items()})


def _spoken(name: str, value: object) -> object:
    """An argument in the language spoken."""
    match name:
        case "form":
            return value.spoken(language()) if isinstance(value, Form) else value
        case "command":
            return command_word(str(value), language())
        case "option":
            return option_word(str(value), language())
    return value


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
