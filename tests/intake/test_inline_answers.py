"""Answers between quoted lines, through the whole way from the mail to the desk."""

from pbem.intake.explain import explain

MAIL = b"""From: ann@example.net
Subject: Re: your turn
Content-Type: text/plain; charset=utf-8

On Mon, Ark wrote:
> Shall we go on?
Yes. Thanks
> And your turn?
take fox
"""


def test_a_sign_off_ends_at_the_next_quoted_line() -> None:
    """commands.md 1.3: what stands below the quoted line is read again."""
    lines = explain(MAIL)["lines"]
    assert [line.get("command") for line in lines if "command" in line] == ["take"]
    assert not [line for line in lines if "error" in line]
