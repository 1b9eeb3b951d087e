"""A command as the whole subject (commands.md 1.9)."""

import pytest

from pbem.intake.message import subject_command


@pytest.mark.parametrize(
    ("subject", "command"),
    [
        ("status", "status"),
        ("Re: take fox", "take fox"),
        ("RE: Re[2]: AW: SV: VS: take fox", "take fox"),
        ("Re(3): Re^2: help", "help"),
        ("回复: 取狐狸", "取狐狸"),
        ("回覆：答复：回复: 取狐狸", "取狐狸"),
        ("Re:take fox", "take fox"),
        ("[EXTERNAL] Re: take fox", "take fox"),
        ("Re: [EXT] take fox", "take fox"),
        ("  Re:   take   fox ", "take fox"),
        ("say all: hi", "say all: hi"),
        ("Fwd: take fox", None),
        ("FW: take fox", None),
        ("WG: take fox", None),
        ("转发: 取狐狸", None),
        ("轉寄： 取狐狸", None),
        ("Re: Fwd: take fox", None),
        ("AW: WG: AW: take fox", None),
        ("Re: Fwd[2]: x", None),
        ("TR: take fox", None),
        ("Re:", None),
        ("", None),
    ],
)
def test_the_command_of_a_subject(subject: str, command: str | None) -> None:
    assert subject_command(subject) == command
