"""The commands besides turns (commands.md 3.13, 3.14, 4)."""

from datetime import date

import pytest

from tests.commands.reading import board, gather, lines, only

TABLE = ("Ann", "Bo", "李明", "Eve Smith")

UNDERSTOOD = {
    # asking
    "status": ("status", {}),
    "Status please": ("status", {}),
    "局面": ("status", {}),
    "hand": ("hand", {}),
    "手牌": ("hand", {}),
    "scores": ("scores", {}),
    "Punktestand": ("scores", {}),
    "legal": ("legal", {}),
    "legal the fox": ("legal", {"card": "fox"}),
    "erlaubt Fuchs": ("legal", {"card": "fox"}),
    "why fox L2": ("why", {"card": "fox", "cabin": "L2"}),
    "warum Fuchs in links 2": ("why", {"card": "fox", "cabin": "L2"}),
    "為何狐狸左2": ("why", {"card": "fox", "cabin": "L2"}),
    "why fox new left?": ("why", {"card": "fox", "cabin": "L+"}),
    "history": ("history", {}),
    "history 10": ("history", {"turns": 10}),
    "rules": ("rules", {}),
    "rules skunk": ("rules", {"card": "skunk"}),
    "規則 臭鼬": ("rules", {"card": "skunk"}),
    "help": ("help", {}),
    "Help!": ("help", {}),
    "Hilfe": ("help", {}),
    "幫助": ("help", {}),
    "help play": ("help", {"command": "play"}),
    "help new game": ("help", {"command": "new game"}),
    "Hilfe Urlaub": ("help", {"command": "vacation"}),
    "test": ("test", {}),
    "resend": ("resend", {}),
    "resend ann@work.example": ("resend", {"address": "ann@work.example"}),
    # tables
    "games": ("games", {}),
    "Partien": ("games", {}),
    "game 12": ("game", {"game": 12}),
    "Spiel 12": ("game", {"game": 12}),
    "牌局12": ("game", {"game": 12}),
    "new game Sunday Club with ann@x.org, Bo B <bo@y.org> for 4 time 48h": (
        "new game",
        {"name": "Sunday Club", "with": ["ann@x.org", "bo@y.org"], "for": 4, "time": 172_800},
    ),
    "neue Partie Waschbär mit a@x.org, b@y.org": (
        "new game",
        {"name": "Waschbär", "with": ["a@x.org", "b@y.org"]},
    ),
    'new game "Now" with a@x.org, bot:greedy time 3 days': (
        "new game",
        {"name": "Now", "with": ["a@x.org", "bot:greedy"], "time": 259_200},
    ),
    'new game "Tea time" with a@x.org, b@y.org for 3 time 48h': (
        "new game",
        {"name": "Tea time", "with": ["a@x.org", "b@y.org"], "for": 3, "time": 172_800},
    ),
    "neue Partie „Zeit für Tee“ mit a@x.org, b@y.org": (
        "new game",
        {"name": "Zeit für Tee", "with": ["a@x.org", "b@y.org"]},
    ),
    "invite cy@x.org": ("invite", {"with": ["cy@x.org"]}),
    "accept": ("accept", {}),
    "I accept, thanks": ("accept", {}),
    "accept Apfelstrudel": ("accept", {"word": "Apfelstrudel"}),
    "接受": ("accept", {}),
    "decline": ("decline", {}),
    "join 7": ("join", {"game": 7}),
    "join game 7": ("join", {"game": 7}),
    "leave": ("leave", {}),
    "resign": ("resign", {}),
    "認輸": ("resign", {}),
    "I resign": ("resign", {}),
    "rematch": ("rematch", {}),
    "Revanche!": ("rematch", {}),
    "observe 5": ("observe", {"game": 5}),
    # settings
    "confirm": ("confirm", {}),
    "confirm on": ("confirm", {"state": "on"}),
    "bestätige aus": ("confirm", {"state": "off"}),
    "確認開": ("confirm", {"state": "on"}),
    "undo": ("undo", {}),
    "pause": ("pause", {}),
    "resume": ("resume", {}),
    "vote yes": ("vote", {"vote": "yes"}),
    "abstimmen nein": ("vote", {"vote": "no"}),
    "投票反對": ("vote", {"vote": "no"}),
    "vote Friday": ("vote", {"vote": "Friday"}),
    "vacation": ("vacation", {}),
    "vacation off": ("vacation", {"state": "off"}),
    "timezone": ("timezone", {}),
    "timezone Berlin": ("timezone", {"zone": "Europe/Berlin"}),
    "timezone Europe/Vienna": ("timezone", {"zone": "Europe/Vienna"}),
    "timezone new york": ("timezone", {"zone": "America/New_York"}),
    "Zeitzone Zürich": ("timezone", {"zone": "Europe/Zurich"}),
    "時區 台北": ("timezone", {"zone": "Asia/Taipei"}),
    "時區香港": ("timezone", {"zone": "Asia/Hong_Kong"}),
    "time zone utc+8": ("timezone", {"zone": "UTC+8"}),
    "timezone UTC−3:30": ("timezone", {"zone": "UTC-3:30"}),
    "timezone GMT": ("timezone", {"zone": "UTC"}),
    "quiet 22:00-07:00": ("quiet", {"from": "22:00", "to": "07:00"}),
    "quiet 22:00 – 7:30": ("quiet", {"from": "22:00", "to": "07:30"}),
    "Ruhezeit 22 bis 7 Uhr": ("quiet", {"from": "22:00", "to": "07:00"}),
    "quiet off": ("quiet", {"state": "off"}),
    "remind off": ("remind", {"state": "off"}),
    "remind 24h, 6h": ("remind", {"before": [86_400, 21_600]}),
    "language de": ("language", {"language": "de"}),
    "language English": ("language", {"language": "en"}),
    "Sprache Deutsch": ("language", {"language": "de"}),
    "語言 繁體中文": ("language", {"language": "zh-Hant"}),
    "语言 简体": ("language", {"language": "zh-Hans"}),
    "language zh-hant": ("language", {"language": "zh-Hant"}),
    "mail digest": ("mail", {"mail": "digest"}),
    "mail text": ("mail", {"mail": "text"}),
    "郵件 摘要": ("mail", {"mail": "digest"}),
    "address Ann@Example.org": ("address", {"action": "change", "address": "ann@example.org"}),
    "address add a@x.org": ("address", {"action": "add", "address": "a@x.org"}),
    "address no@if.org": ("address", {"action": "change", "address": "no@if.org"}),
    "invite or@not.org": ("invite", {"with": ["or@not.org"]}),
    "address": ("address", {}),
    "my data": ("my data", {}),
    "Meine Daten": ("my data", {}),
    "我的資料": ("my data", {}),
    "forget me": ("forget me", {}),
    "never again": ("never again", {}),
    # plans
    "plan": ("plan", {}),
    "plan off": ("plan", {"state": "off"}),
    "plan take fox": ("plan", {"turns": [gather("fox")]}),
    "plan take fox or play cat L1 + bee R3": (
        "plan",
        {"turns": [gather("fox"), board("cat L1", "bee R3")]},
    ),
    "plan if Bo takes the fox and L3 is free: take hen": (
        "plan",
        {"if": "Bo takes the fox and L3 is free", "turns": [gather("hen")]},
    ),
    "Plan wenn Bo passt: nimm Fuchs oder nimm Henne": (
        "plan",
        {"if": "Bo passt", "turns": [gather("fox"), gather("hen")]},
    ),
    "計劃如果明放棄：取狐狸或取母雞": (
        "plan",
        {"if": "明放棄", "turns": [gather("fox"), gather("hen")]},
    ),
    # talk
    "say all: hi": ("say", {"to": ["all"], "text": "hi"}),
    "say everyone: Hi there!": ("say", {"to": ["all"], "text": "Hi there!"}),
    "sag alle: Hallo, ihr; wie geht's? # 1": (
        "say",
        {"to": ["all"], "text": "Hallo, ihr; wie geht's? # 1"},
    ),
    "say Ann, bo: not you, Eve": ("say", {"to": ["Ann", "Bo"], "text": "not you, Eve"}),
    "say eve smith: 12:30?": ("say", {"to": ["Eve Smith"], "text": "12:30?"}),
    "說 所有人：你好；再見": ("say", {"to": ["all"], "text": "你好；再見"}),
    "說李明：好": ("say", {"to": ["李明"], "text": "好"}),
    "say moderator: help": ("say", {"to": ["moderator"], "text": "help"}),
    "say to Ann: hi": ("say", {"to": ["Ann"], "text": "hi"}),
    "say to all: hi": ("say", {"to": ["all"], "text": "hi"}),
    "say Ann, Ann: once": ("say", {"to": ["Ann"], "text": "once"}),
    "note L2 is for the fox, not the hen!": ("note", {"text": "L2 is for the fox, not the hen!"}),
    "note: Remember": ("note", {"text": "Remember"}),
    "筆記明天": ("note", {"text": "明天"}),
}


@pytest.mark.parametrize("line", UNDERSTOOD)
def test_is_understood(line: str) -> None:
    found = only(line, names=TABLE)
    assert found.error is None, found.to_json()
    assert (found.command, found.args) == UNDERSTOOD[line]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("say Annabel: hi", "say-nobody"),
        ("say An: hi", "say-nobody"),
        ("say Ann", "say-form"),
        ("say: hi", "say-form"),
        ("say all:", "say-empty"),
        ("say Ann,: hi", "say-form"),
        ("say;all: hi", "say-form"),
        ("timezone Atlantis", "zone-unknown"),
        ("timezone UTC+19", "zone-unknown"),
        ("vacation 31 Feb", "date-unknown"),
        ("vacation 24 Dec to soon", "date-unknown"),
        ("vacation 2026-12-24 to 2026-12-20", "date-order"),
        ("new game Club with nobody", "usage"),
        ("new game Club with a@x.org for 9", "usage"),
        ("join x", "usage"),
        ("accept not", "negation"),
        ("I accept, or not", "negation"),
        ("new game Now or never with a@x.org", "negation"),
        ("plan if Bo passes take fox", "plan-form"),
        ("plan if : take fox", "plan-form"),
    ],
)
def test_is_not_understood(line: str, code: str) -> None:
    found = only(line, names=TABLE)
    assert (found.error, found.code) == ("not understood", code)
    assert found.message


class TestSay:
    """3.13"""

    def test_with_nothing_behind_the_colon_the_next_lines_are_the_text(self) -> None:
        found = lines("say all:\nHello; you\nall of you!\n\ntake fox")
        assert found[0]["line"] == "say all:\nHello; you\nall of you!"
        assert found[0]["args"] == {"to": ["all"], "text": "Hello; you\nall of you!"}
        assert found[1]["args"] == gather("fox")

    def test_a_turn_among_those_lines_is_asked_about_and_nothing_is_sent(self) -> None:
        found = lines("say all:\nHello\ntake fox\n\ntake hen")
        assert [line["error"] for line in found] == ["ambiguous", "not tried"]
        assert found[0]["readings"] == ["say all:\nHello\ntake fox", "take fox"]

    def test_a_text_that_ends_with_a_colon_is_a_text(self) -> None:
        found = lines("say all: my order:\ntake fox")
        assert [line["command"] for line in found] == ["say", "take"]

    def test_without_a_table_names_are_taken_as_written(self) -> None:
        assert only("say Ann, Bo: hi").args == {"to": ["Ann", "Bo"], "text": "hi"}


class TestDates:
    @pytest.mark.parametrize(
        ("line", "first", "last"),
        [
            ("vacation 2026-12-24 to 2027-01-02", "2026-12-24", "2027-01-02"),
            ("vacation 24 Dec to 2 Jan", "2026-12-24", "2027-01-02"),
            ("vacation Dec 24 to January 2nd", "2026-12-24", "2027-01-02"),
            ("vacation from 24 December until 2 January", "2026-12-24", "2027-01-02"),
            ("vacation 24.12. to 2.1.", "2026-12-24", "2027-01-02"),
            ("Urlaub vom 24. Dezember bis 2. Jänner", "2026-12-24", "2027-01-02"),
            ("Urlaub 24.12.-2.1.", "2026-12-24", "2027-01-02"),
            ("Urlaub 24.12.26 bis 2.1.2027", "2026-12-24", "2027-01-02"),
            ("休假 12月24日到1月2日", "2026-12-24", "2027-01-02"),
            ("休假2026年12月24日至2027年1月2日", "2026-12-24", "2027-01-02"),
            ("vacation 24 Dec 2026 to 2 Jan", "2026-12-24", "2027-01-02"),
            ("vacation 24 Dec to 2 Jan 2027", "2026-12-24", "2027-01-02"),
            ("vacation 24/12 to 31/12", "2026-12-24", "2026-12-31"),
            ("vacation 12/24 to 12/31", "2026-12-24", "2026-12-31"),
            ("vacation 28 Nov to 3 Dec", "2026-11-28", "2026-12-03"),
            ("vacation 24 Dec", "2026-12-24", "2026-12-24"),
            ("vacation 29 Feb", "2028-02-29", "2028-02-29"),
        ],
    )
    def test_years_follow_from_today(self, line: str, first: str, last: str) -> None:
        found = only(line, today=date(2026, 11, 30))
        assert found.args == {"from": first, "to": last}

    def test_without_today_the_year_stays_open(self) -> None:
        assert only("vacation 24 Dec to 2 Jan").args == {"from": "--12-24", "to": "--01-02"}

    def test_day_and_month_that_may_be_either_are_asked(self) -> None:
        found = only("vacation 3/4 to 13/4")
        assert (found.error, found.code) == ("ambiguous", "which-date")
        assert found.readings == ("vacation 3 Apr to 13 Apr", "vacation 4 Mar to 13 Apr")
        assert only("vacation 4/4").error is None


@pytest.mark.parametrize("zone", ["HKT", "CST", "EST", "CET", "IST", "PST", "MEZ", "bst"])
def test_abbreviated_zones_are_asked_back(zone: str) -> None:
    found = only(f"timezone {zone}")
    assert (found.error, found.code) == ("ambiguous", "which-zone")
    for reading in found.readings:
        assert only(reading).error is None


def test_chinese_is_asked_which_script() -> None:
    assert only("language Chinese").readings == ("language zh-Hant", "language zh-Hans")
    assert only("語言 中文", language="zh-Hant").error == "ambiguous"
    assert only("language zh").error == "ambiguous"


def test_a_semicolon_ends_a_plan() -> None:
    found = lines("plan if Bo passes: take fox; hand")
    assert [line["command"] for line in found] == ["plan", "hand"]


def test_an_unclear_card_in_a_plan_is_asked_with_the_whole_plan() -> None:
    found = only("plan if Bo passes: take he")
    assert found.readings == (
        "plan if Bo passes: take hen", "plan if Bo passes: take hedgehog",
    )  # fmt: skip
