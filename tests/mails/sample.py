"""A letter to put layouts around: its text, its HTML, its names.

The generator takes any letter; this one stands for those of a running system."""

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Letter:
    """What a mail program knows of the letter it quotes."""

    text: str
    html: str
    sender_name: str
    address: str
    subject: str
    message_id: str
    examples: tuple[str, ...]  # the commands it suggests, without their mark


TEXT = """\
Cy, it is your turn. Until Wed 2 Dec, 21:30 your time (13:30 UTC).
Then a bot plays for you.

SINCE YOUR LAST TURN
Di took the turtle and a card from the stack.
Ann boarded the fox (L6, opening it: a timber to Di, two from the bank;
took the chimpanzee) and the chimpanzee (R6, marker 1 1/2 on shy).
Bo boarded the reindeer (L6) and the spider (R2, driving out the
hamster: a marker on shy).

THE ARK (balance: left heavier by 2)
L1  sheep 2 cold plants useful; chamois 2 cold plants shy;
    skunk 1 cold plants
L2  rabbit 1 plants shy; snail 0 plants slow; koala 1 hot plants slow
L3  seal 2 cold meat slow; grain 2 cold; grain 2 cold
R1  dates 1 hot
R2  zebra 2 hot plants shy; spider 0 (new); ostrich 2 hot plants shy

YOUR HAND (4 timbers)
tyranno: 4, meat, heavy. Fits R1, new R8.
polar bear: 3, cold, meat, heavy. Fits new R8.

DISPLAY (19 in the stack, 1 of 5 rain)
sloth: 1, hot, plants, slow
horse: 3, plants, useful
dog: 1, meat, useful

BO WRITES TO ALL
│ if you take horse now, I
│ play the cat – promise!

ANSWER THIS MAIL WITH ONE LINE, for example
› take horse
› play tyranno R1
› play polar bear R8 take dog
Unsure? Write "preview" in front.
On the web: https://ark.example.org/p/6f1c2a9b7d
Write "help" for all commands.
"""


def as_html(text: str) -> str:
    """A letter's HTML part: headings, a table for the ark, paragraphs."""
    rows: list[str] = []
    for line in text.splitlines():
        if line.startswith(("L", "R")) and line[1:2].isdigit():
            rows.append(f"<tr><th>{line[:2]}</th><td>{escape(line[2:].strip())}</td></tr>")
        elif line.isupper():
            rows.append(f'<tr><td colspan="2"><h2 style="margin:0">{escape(line)}</h2></td></tr>')
        else:
            rows.append(f'<tr><td colspan="2">{escape(line) or "&nbsp;"}</td></tr>')
    return (
        '<div style="display:none;max-height:0">It is your turn</div>'
        '<table role="presentation" width="100%">' + "".join(rows) + "</table>"
    )


SAMPLE = Letter(
    TEXT,
    as_html(TEXT),
    "Ark, Sunday club",
    "t-k3j5q7z2m4x6w8a2@ark.example.org",
    "Ark, Sunday club: your turn 27",
    "<letter.27@ark.example.org>",
    ("take horse", "play tyranno R1", "play polar bear R8 take dog"),
)
