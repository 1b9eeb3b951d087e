"""Return paths: of one letter, and of nobody's making but ours."""

from pbem.post.addresses import letter_of, return_path
from pbem.store.tokens import Keys

KEYS = Keys(b"k" * 32)


def test_a_return_path_names_its_letter_in_any_case() -> None:
    local, _, domain = return_path(KEYS, "ark.example", 4711).partition("@")
    assert domain == "ark.example"
    assert letter_of(KEYS, local) == letter_of(KEYS, local.upper()) == 4711
    assert len(local) <= 64  # RFC 5321 4.5.3.1.1


def test_nobody_else_can_write_one() -> None:
    local = return_path(KEYS, "ark.example", 4711).partition("@")[0]
    _, _, signature = local.split("-")
    assert letter_of(KEYS, f"b-4712-{signature}") is None
    assert letter_of(KEYS, f"b-4711-{signature[:-1]}a") in (None, 4711)
    assert letter_of(KEYS, f"b-4711-{signature[::-1]}") is None
    assert letter_of(Keys(b"x" * 32), local) is None


def test_nonsense_is_no_return_path() -> None:
    for local in (
        "",
        "b-",
        "b-1",
        "b--aaaaaaaaaaaaaaaa",
        "b-٣-aaaaaaaaaaaaaaaa",
        "t-1",
        "b-1-" + "a" * 99,
    ):
        assert letter_of(KEYS, local) is None
