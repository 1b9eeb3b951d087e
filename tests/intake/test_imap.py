"""Reading a mailbox: what needs no server."""

from pbem.intake.imap.connection import literals
from pbem.intake.imap.reader import FIRST_PAUSE, LONGEST_PAUSE, pause


def test_pauses_grow_to_ten_minutes_and_never_march_in_step() -> None:
    pauses = [pause(failures, 0.5) for failures in range(1, 40)]
    assert pauses[0] == FIRST_PAUSE
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE
    assert pause(3, 0.0) < pause(3, 1.0)
    assert pause(40, 1.0) == LONGEST_PAUSE * 1.25


def test_uid_and_size_are_found_before_a_literal_and_after_it() -> None:
    before = [(b"1 (UID 7 RFC822.SIZE 20 BODY[] {2}", b"hi"), b")"]
    after = [(b"1 (BODY[] {2}", b"hi"), b" UID 7 RFC822.SIZE 20)"]
    for answer in (before, after):
        [(about, literal)] = literals(answer)
        assert b"UID 7" in about
        assert b"RFC822.SIZE 20" in about
        assert literal == b"hi"


def test_what_a_server_says_on_its_own_is_no_mail() -> None:
    said = [b"3 (FLAGS (\\Seen))", (b"1 (UID 7 BODY[] {2}", b"hi"), b")", None]
    assert [literal for _, literal in literals(said)] == [b"hi"]
    assert list(literals([None])) == []
