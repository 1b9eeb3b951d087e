"""The catalogues: every sentence of the sources in every language, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message

from pbem.translation import LANGUAGES
from pbem.translation.catalogues import ORIGINAL, path_of
from pbem.translation.extraction import ROOT, extracted, updated, written

TRANSLATED = [language for language in LANGUAGES if language != ORIGINAL]
FORMS = {"de": 2, "zh-Hant": 1, "zh-Hans": 1}
SAYING = {"_", "later", "ngettext"}
MAY_SAY = re.compile(rf"\b(?:{'|'.join(SAYING)})\b")


@pytest.fixture(scope="module")
def sources() -> Catalog:
    return extracted()


def _messages(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def _texts(message: Message) -> tuple[str, ...]:
    return tuple(message.string) if isinstance(message.string, tuple) else (message.string,)


def _originals(message: Message) -> tuple[str, ...]:
    return message.id if isinstance(message.id, tuple) else (message.id,)


def _placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_file_is_what_make_catalogues_writes(language: str, sources: Catalog) -> None:
    """No sentence is missing, obsolete or unused; none is marked fuzzy."""
    assert path_of(language).read_bytes() == updated(language, sources)
    assert not any(message.fuzzy for message in _messages(written(language)))


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated(language: str) -> None:
    missing = [one.id for one in _messages(written(language)) if not all(_texts(one))]
    assert missing == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_are_those_of_the_original(language: str) -> None:
    wrong = []
    for message in _messages(written(language)):
        texts, originals = _texts(message), _originals(message)
        wanted = set().union(*map(_placeholders, originals))
        if len(originals) == 2:
            assert len(texts) == FORMS[language], message.id
        for text in texts:
            may_miss = {"count"} if len(originals) == 2 else set()
            if not wanted - may_miss <= _placeholders(text) <= wanted:
                wrong.append(message.id)
    assert wrong == []


@pytest.mark.parametrize("language", ["zh-Hant", "zh-Hans"])
def test_chinese_has_its_own_punctuation(language: str) -> None:
    """An original that ends in a stop ends in a full-width one here."""
    wrong = []
    for message in _messages(written(language)):
        for original, text in zip(_originals(message)[-1:], _texts(message)[-1:], strict=True):
            if original[-1] in ".?!" and text[-1] not in "。？！：…」”)）":
                wrong.append((original, text))
    assert wrong == []


def test_the_two_chinese_scripts_differ() -> None:
    simplified = {message.id: message.string for message in _messages(written("zh-Hans"))}
    same = [
        message.id
        for message in _messages(written("zh-Hant"))
        if message.string == simplified[message.id]
        and any(char in "個張們會時這說學門車東書馬龍鳥" for char in "".join(_texts(message)))
    ]
    assert same == []


def _calls(path: Path) -> Iterator[tuple[ast.Call, bool]]:
    """Every saying of a sentence in a module, and whether it stands inside an f-string."""
    source = path.read_text(encoding="utf-8")
    if not MAY_SAY.search(source):
        return
    tree = ast.parse(source)
    inside = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.JoinedStr)
        for node in ast.walk(outer)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in SAYING:
            yield node, id(node) in inside


def test_sentences_are_whole() -> None:
    """A sentence that is put together before it is looked up is in no catalogue; one said
    inside an f-string is not found by the extraction."""
    wrong = []
    for path in sorted(ROOT.glob("pbem/**/*.py")):
        for call, in_f_string in _calls(path):
            said = call.args[: 2 if getattr(call.func, "id", "") == "ngettext" else 1]
            if in_f_string or any(isinstance(one, ast.JoinedStr | ast.BinOp) for one in said):
                wrong.append(f"{path.relative_to(ROOT)}:{call.lineno}")
    assert wrong == []


def test_the_check_of_whole_sentences_finds_what_it_is_for(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("_(f'a {b}')\nf'{_(1)}'\n")
    assert [in_f_string for _, in_f_string in _calls(module)] == [False, True]
