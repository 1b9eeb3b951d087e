"""Sentences in the language that is spoken, in code and in templates."""

import threading

import pytest
from jinja2 import DictLoader, StrictUndefined, UndefinedError
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from pbem.translation import LANGUAGES, _, either, language, listing, markup, ngettext, speaking


def test_english_is_the_original() -> None:
    assert _("{some} and {last}", some="hen", last="fox") == "hen and fox"
    assert ngettext("{count} hen", "{count} hens", 2) == "2 hens"


def test_a_language_is_spoken_inside_only() -> None:
    with speaking("de"):
        assert _("{some} and {last}", some="Huhn", last="Fuchs") == "Huhn und Fuchs"
        with speaking("zh-Hant"):
            assert listing(["母雞", "狐狸", "馬"]) == "母雞、狐狸和馬"
        assert either(["Huhn", "Fuchs", "Pferd"]) == "Huhn, Fuchs oder Pferd"
    assert language() == "en"


def test_nor_does_another_thread_speak_it() -> None:
    spoken: list[str] = []
    with speaking("de"):
        thread = threading.Thread(target=lambda: spoken.append(language()))
        thread.start()
        thread.join()
    assert spoken == ["en"]


@pytest.mark.parametrize("spoken", ["fr", "", "../../etc/passwd"])
def test_an_unknown_language_says_the_original(spoken: str) -> None:
    with speaking(spoken):
        assert listing(["a", "b"]) == "a and b"


def test_braces_without_values_stay() -> None:
    assert _("a {brace}") == "a {brace}"


HOSTILE = "<b>&\"'{x}</b>"


def _rendered(file: str, source: str, /, **values: object) -> str:
    environment = SandboxedEnvironment(
        loader=DictLoader({file: source}),
        undefined=StrictUndefined,
        autoescape=lambda found: bool(found and found.endswith(".html")),
    )
    markup.install(environment)
    return environment.get_template(file).render(values)


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_values_are_escaped_in_html_and_left_alone_in_text(spoken: str) -> None:
    source = '{{ _("{some} and {last}", some=name, last="x"|strong) }}'
    with speaking(spoken):
        html = _rendered("a.html", source, name=HOSTILE)
        text = _rendered("a.txt", source, name=HOSTILE)
    assert "&lt;b&gt;&amp;&#34;&#39;{x}&lt;/b&gt;" in html
    assert "<b>x</b>" in html
    assert HOSTILE in text
    assert "<b>x" not in text


def test_the_sentence_itself_is_escaped() -> None:
    assert _rendered("a.html", '{{ _("1 < {n} & so on", n=2) }}') == "1 &lt; 2 &amp; so on"
    assert _rendered("a.html", '{{ _("1 < 2") }}') == "1 &lt; 2"
    assert _rendered("a.txt", '{{ _("1 < {n}", n=2) }}') == "1 < 2"


def test_markup_stays_markup() -> None:
    source = '{{ ngettext("{count} of {what}", "{count} of {what}", 2, what=link) }}'
    assert _rendered("a.html", source, link=Markup("<a>it</a>")) == "2 of <a>it</a>"


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        _rendered("a.html", '{{ _("{name}", name=nobody) }}')
    with pytest.raises(KeyError):
        _rendered("a.html", '{{ _("{name} {other}", name="x") }}')


@pytest.mark.parametrize("name", ["a.html", "a.txt"])
def test_a_placeholder_reaches_into_nothing(name: str) -> None:
    """An operator's template runs in a sandbox, and this is no way out of it."""
    with pytest.raises(ValueError, match="placeholders"):
        _rendered(name, '{{ _("{x.__class__}", x="y") }}')
    with pytest.raises(ValueError, match="placeholders"):
        _rendered(name, '{{ _("{x[0]}", x="y") }}')
