"""Pages in the language of whoever reads them."""

import re
from html import escape

import pytest
from flask import Flask
from sqlmodel import select

from pbem.store import Person
from pbem.translation import LANGUAGES, _, language, speaking
from tests.web.harbour import RUNNING, Harbour, answer, page, send

PUBLIC = ("/", "/rules", "/help", "/games", "/games/1", "/nowhere")


@pytest.mark.parametrize(
    ("accepted", "spoken"),
    [
        ("", "en"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("fr-FR, fr;q=0.9, de;q=0.3", "de"),
        ("fr", "en"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK,zh;q=0.9", "zh-Hant"),
        ("zh-Hant-CN", "zh-Hant"),
        ("zh-CN,zh;q=0.9", "zh-Hans"),
        ("zh", "zh-Hans"),
        ("en;q=0.2, de;q=0.8", "de"),
        ("*", "en"),
        ("\x00;;q=,,", "en"),
    ],
)
def test_the_browser_s_wish_is_followed(app: Flask, accepted: str, spoken: str) -> None:
    response = app.test_client().get("/", headers={"Accept-Language": accepted})
    assert f'<html lang="{spoken}">' in response.text
    assert {"Accept-Language", "Cookie"} <= set(response.vary)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", PUBLIC)
def test_a_choice_at_the_foot_holds_on_every_page(app: Flask, address: str, language: str) -> None:
    client = app.test_client()
    client.get(f"/?language={language}")
    told = client.get(address).text
    assert f'<html lang="{language}">' in told
    with speaking(language):
        for sentence in ("Rules", "My games", "Skip to the content", "Credits"):
            assert escape(_(sentence)) in told
    links = re.findall(r'<a href="([^"]*)" lang="([^"]*)"', told)
    assert {code for _, code in links} == set(LANGUAGES) - {language}


def test_the_links_keep_the_page_and_its_arguments(app: Flask) -> None:
    told = app.test_client().get("/games?page=1").text
    assert 'href="/games?page=1&amp;language=de"' in told


@pytest.mark.parametrize("name", ["endpoint", "self", "_external", "values"])
def test_no_argument_of_an_address_breaks_the_links(app: Flask, name: str) -> None:
    told = app.test_client().get(f"/games?{name}=%2F%2Felsewhere.example")
    assert told.status_code == 200
    assert f'href="/games?{name}=%2F%2Felsewhere.example&amp;language=de"' in told.text


@pytest.mark.parametrize("wanted", ["xx", "", "../de", "de'\"><b>"])
def test_a_language_that_is_none_changes_nothing(app: Flask, wanted: str) -> None:
    response = app.test_client().get("/", query_string={"language": wanted})
    assert '<html lang="en">' in response.text
    assert "<b>" not in response.text.split("<footer")[1]


def test_a_player_s_pages_and_answers_speak_his_language(app: Flask, harbour: Harbour) -> None:
    browser = harbour.browser(app, "Ann")
    _speak(harbour, "de")
    assert "Laufende Partien" in page(browser, "/me").text
    table = page(browser, f"/me/games/{RUNNING}")
    assert "Ann Archer, du bist am Zug." in table.text
    assert "nimm " in table.text
    told = answer(send(browser, table, "setze den Fuchs nach L99"))
    assert "Es wurde nichts getan." in told
    assert "L99" in told
    assert "There is no" not in told
    browser.get("/me?language=zh-Hant")
    assert "進行中的牌局" in page(browser, "/me").text


def test_a_refusal_names_cards_as_its_reader_does(app: Flask, harbour: Harbour) -> None:
    browser = harbour.browser(app, "Ann")
    _speak(harbour, "de")
    table = page(browser, f"/me/games/{RUNNING}")
    told = answer(send(browser, table, "warum Mammut L1"))
    assert "Mammut" in told
    assert not re.search(r"mammoth|\bthe\b", told)
    assert language() == "en", "a language is left behind when its request is over"


RULES = re.compile(r'class="rule" id="(R[0-9.]+)"')
RULINGS = re.compile(r'<li><a href="#(R[0-9.]+)">')


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_the_same_in_every_language(app: Flask, language: str) -> None:
    english = app.test_client().get("/rules").text
    told = app.test_client().get(f"/rules?language={language}").text
    for numbers in (RULES, RULINGS):
        assert numbers.findall(told) == numbers.findall(english)
        assert len(numbers.findall(told)) > 15
    assert (told == english) is (language == "en")
    assert ("A cabin holds" in told) is (language == "en")


def _speak(harbour: Harbour, language: str) -> None:
    with harbour.installation.store.work() as session:
        person = session.exec(select(Person).where(Person.name == "Ann Archer")).one()
        person.language = language
        session.add(person)
