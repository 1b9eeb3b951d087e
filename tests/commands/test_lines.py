"""What a line of a text is, and what stops a text (1.3 to 1.5, 1.9)."""

import pytest

from tests.commands.reading import acts, board, gather, lines, only, reading

FOX = gather("fox")


def states(text: str, **context: object) -> list[str]:
    """Per line: what it was ignored as, its error, or its command."""
    return [
        line.get("ignored") or line.get("error") or line["command"]
        for line in lines(text, **context)
    ]


PROSE = """
    Hi all, | Hello! | Good evening everyone | Dear Ann, | Hallo zusammen, | Liebe Freunde,
    大家好 | 各位好！ | 早安 | Nice move, Bo! | I will be away, but go on | That was a surprise.
    See you on Sunday at the club | Thanks, Bo, that was kind | Great fun so far | Lieber Bo,
    the fox was mine | I am back | my turn at last | 好玩 | 特別好玩 | 我馬上就來 | Ha! | OK
    I might play tomorrow | Done. | Danke, Bo | well played | Normally I'd sit in the sun
    see https://ark.example.org/r2 | write to a.b@l2.example.org | an R2D2 unit
    1 take fox | den Fuchs also | Noch eine Runde | Greetings from the coast, wish you were here
"""
STOPPING = """
    no | Not sure about this | I don't know | Wait! | If it rains we meet inside | this or that
    let us do it instead | I do not care | Moment, doch besser so | wenn ihr meint | oder so
    Das war nicht so gemeint | 等一下 | 我不知道 | 如果下雨就算了 | 或許吧 | No problem!
    don't take fox | I can't decide | never mind | Kein Problem | Vielleicht morgen | 沒問題
    I won't be there | I don´t know | unless you mind | Dont do it yet | 要是可以的話 | Nein
"""
SIGN_OFFS = """
    Thanks | Thanks! | thanks, | Thank you. | Many thanks | Best regards | Best regards, | Cheers
    Kind regards, | Regards | Best | Best wishes! | Yours sincerely | Bye | Take care | Take care!
    take care, Ann | Thanks, Ann | Cheers, Ann Example | - Ann | Ann | ANN | Ann. | — Ann | ~ Ann
    Ann Example | Example | Thanks all | Thanks, everyone! | Thanks and best regards
    Viele Grüße | Viele Gruesse | VIELE GRÜSSE | Liebe Grüße, Ann | LG | LG Ann | VG, Ann | MfG
    Mit freundlichen Grüßen | Danke | Danke! | Vielen Dank | Dankeschön | Tschüss | Bis bald
    Danke und Gruß | Grüße an alle | Schönen Abend noch! | 謝謝 | 谢谢 | 謝謝大家 | 多謝！ | 祝好
    再見 | 此致 敬礼 | 感谢 | Love, Ann | xx | See you soon | Thanks 🙂 | Thanks :-) | 謝啦 | Tschüs
    Best regards / Viele Grüße | *Best regards* | “Cheers” | All the best, Ann
"""
COMMENTS = "# later | #later | // later | //later | ＃later | - # later | #take fox | // take hen"


def phrasings(text: str) -> list[str]:
    return [
        each.strip() for line in text.splitlines() for each in line.split(" | ") if each.strip()
    ]


@pytest.mark.parametrize("line", phrasings(PROSE))
def test_prose_is_ignored(line: str) -> None:
    assert states(f"{line}\ntake fox\n{line}") == ["prose", "take", "prose"]
    assert len(acts(f"{line}\ntake fox\n{line}")) == 1


@pytest.mark.parametrize("line", phrasings(STOPPING))
def test_prose_with_a_negation_a_condition_or_a_doubt_stops_the_mail(line: str) -> None:
    for text in (f"{line}\ntake fox", f"take fox\n{line}"):
        assert sorted(states(text)) == ["not tried", "not understood"]
        assert reading(text).stopped
    assert only(line).code == "prose-stop"


@pytest.mark.parametrize("line", phrasings(SIGN_OFFS))
def test_a_sign_off_ends_the_text(line: str) -> None:
    text = f"take fox\n{line}\nsomething, but not for you\n+49 9131 123"
    assert states(text, sender="Ann Example") == ["take", *["sign-off"] * 3]
    assert len(acts(text, sender="Ann Example")) == 1


@pytest.mark.parametrize("line", phrasings(COMMENTS))
def test_a_comment_is_ignored(line: str) -> None:
    assert states(f"{line}\ntake fox") == ["comment", "take"]


@pytest.mark.parametrize("below", ["take hen", "paly cat L1", "cat L1", "pass", "status", "L2?"])
def test_a_meant_line_below_a_sign_off_is_asked_and_no_turn_is_done(below: str) -> None:
    text = f"take fox\nThanks\nAnn\n\n{below}"
    assert states(text, sender="Ann") == ["not tried", "sign-off", "sign-off", "ambiguous"]
    assert not acts(text, sender="Ann")
    assert "readings" in lines(text, sender="Ann")[-1]


def test_the_readings_of_a_line_below_a_sign_off_are_what_it_says() -> None:
    assert lines("Danke\nnimm Fuchs")[1]["readings"] == ["take fox"]


def test_below_a_signature_mark_nothing_is_read_or_asked() -> None:
    text = "take fox\n-- \nAnn\ntake hen\nplay cat L1\nnot me"
    assert states(text) == ["take", *["sign-off"] * 5]
    assert len(acts(text)) == 1


def test_a_sign_off_ends_where_quoted_text_was_cut() -> None:
    text = "Thanks!\ntake fox"
    assert states(text) == ["sign-off", "ambiguous"]
    cut = reading(text, breaks=(1,))
    assert [line.error for line in cut.lines] == [None, None]


def test_another_players_name_is_no_sign_off() -> None:
    assert states("Bo\ntake fox", sender="Ann") == ["prose", "take"]


def test_a_name_that_is_a_command_word_is_a_command() -> None:
    assert states("pass", sender="Joe Pass") == ["pass"]


@pytest.mark.parametrize("mark", [">", "|", "│", "> >", ">>"])
def test_quoted_lines_are_never_commands(mark: str) -> None:
    assert states(f"{mark} take fox\ntake hen") == ["prose", "take"]
    assert not acts(f"{mark} take fox")


@pytest.mark.parametrize(
    "line", ["› take fox", "›take fox", "  › pass", "- › take fox", "› 取狐狸"]
)
def test_an_example_of_our_letters_is_never_a_command(line: str) -> None:
    assert states(line) == ["example"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("take fox; status", ["take", "status"]),
        ("take fox；status", ["take", "status"]),
        ("take fox;", ["take"]),
        (";;take fox;;", ["take"]),
        ("play cat L1; play bee R3", ["play", "play"]),
        ("take fox; paly fox L2; hand", ["not tried", "not understood", "hand"]),
        ("Hi; take fox", ["prose", "take"]),
        ("take fox; thanks", ["take", "prose"]),
        ("take fox ;-)", ["take"]),
        ("take fox // first; pass", ["take"]),
        ("take fox #1; pass", ["take"]),
        ("take fox; # pass", ["take"]),
        ("play cat L1; say all: a; pass", ["play", "say"]),
        ("note one; take fox", ["note", "take"]),
    ],
)
def test_semicolons_separate(text: str, expected: list[str]) -> None:
    assert states(text) == expected


def test_a_line_is_shown_as_written() -> None:
    assert [line["line"] for line in lines("  1. *Take* the Fox!  \r\n\r\nHi; hand")] == [
        "1. *Take* the Fox!",
        "Hi",
        "hand",
    ]


@pytest.mark.parametrize("count", [51, 200, 50_000])
def test_over_fifty_lines_are_refused_unread(count: int) -> None:
    found = reading("take fox\n" * count)
    assert [line.error for line in found.lines] == ["refused"]
    assert found.stopped
    assert not found.turns


def test_fifty_lines_are_read() -> None:
    assert len(lines("\n\n".join(["Hi"] * 49 + ["take fox"]))) == 50


def test_an_empty_text_has_no_lines() -> None:
    for text in ("", "\n\n", "   ", "\ufeff", ";"):
        assert reading(text).lines == ()


@pytest.mark.parametrize("line", ["start", "Start!", "start the game", "starte", "開始", "los"])
def test_start_is_a_command_at_a_table_that_has_not_begun_only(line: str) -> None:
    assert only(line, forming=True).command == "start"
    assert only(line).ignored == "prose"
    assert only(f"{line} of the week", forming=True).command is None


class TestAllOrNothing:
    """1.5"""

    @pytest.mark.parametrize(
        "bad", ["paly bee R3", "take", "play new fox", "Not this", "mark shy L2", "play fox new"]
    )
    def test_one_bad_line_keeps_every_turn_from_being_done(self, bad: str) -> None:
        for text in (f"{bad}\ntake fox", f"take fox\n{bad}"):
            assert reading(text).stopped
            assert not acts(text)

    def test_what_changes_nothing_is_done_all_the_same(self) -> None:
        found = lines("say all: hi\nstatus\nnote x\ntake fox\npaly")
        assert [line.get("error") for line in found] == [
            None, None, None, "not tried", "not understood",
        ]  # fmt: skip
        assert found[3]["args"] == FOX

    def test_previews_run_beside_a_stopped_turn(self) -> None:
        found = lines("preview take hen\ntake fox\npaly")
        assert [line.get("error") for line in found] == [None, "not tried", "not understood"]


class TestJoining:
    """3.4"""

    def test_play_lines_join_in_their_order_with_other_lines_between(self) -> None:
        found = lines("play cat L1\nHi!\nplay bee R3")
        assert found[0]["args"] == board("cat L1", "bee R3")
        assert found[2] == {"line": "play bee R3", "command": "play", "with": 0}

    def test_identical_lines_count_once(self) -> None:
        found = lines("take fox\nnimm den Fuchs\ntake fox")
        assert [line.get("error") for line in found] == [None] * 3
        assert [line.get("with") for line in found] == [None, 0, 0]
        found = lines("cat L1\nbee R3\nplay cat L1")
        assert found[0]["args"] == board("cat L1", "bee R3")
        assert found[2]["with"] == 0

    @pytest.mark.parametrize(
        ("text", "rule"),
        [
            ("take fox\nplay cat L1", "R4.1"),
            ("play cat L1\ntake fox", "R4.1"),
            ("take fox\ntake hen", "R4.1"),
            ("take fox and play cat L1", "R4.1"),
            ("take fox and hen", "R4.1"),
            ("cat L1\nbee R3\nfox L2", "R4.3"),
            ("cat L1 + bee R3\nfox L2", "R4.3"),
            ("cat L1 + bee R3 + fox L2", "R4.3"),
            ("cat L1, bee R3, fox L2, hen R1", "R4.3"),
            ("pass\nplay cat L1", "R8.1"),
            ("pet fox\npet hen", "R7.1"),
            ("chimp R3 mark provision", "R6.8"),
            ("Schimpanse R3 markiere Vorrat", "R6.8"),
            ("登船黑猩猩右3標記糧食", "R6.8"),
        ],
    )
    def test_more_than_one_turn_is_refused(self, text: str, rule: str) -> None:
        found = lines(text)
        assert [line["rules"] for line in found if line["error"] == "refused"] == [[rule]]
        assert not acts(text)

    def test_a_take_on_its_own_line_is_refused_with_the_joined_line(self) -> None:
        for text in ("play polar bear R8\ntake dog", "take dog\nplay polar bear R8"):
            found = lines(text)
            assert [line["error"] for line in found] == ["not tried", "refused"]
            assert found[1]["rules"] == ["R4.1"]
            assert found[1]["suggest"] == "play polar bear R8 take dog"

    @pytest.mark.parametrize(
        ("play", "options", "joined"),
        [
            ("play skunk R1", "out deer", "play skunk R1 out deer"),
            ("play skunk R1", "and drive the deer out", "play skunk R1 out deer"),
            ("lade Stinktier R1", "vertreibe Hirsch", "play skunk R1 out deer"),
            ("登船臭鼬右1", "驅趕鹿", "play skunk R1 out deer"),
            ("chimp R3", "mark shy, take hen", "play chimpanzee R3 mark shy take hen"),
            ("skunk R1 out chimp", "mark shy", "play skunk R1 out chimpanzee mark shy"),
        ],
    )
    def test_options_on_their_own_line_never_leave_the_play_without_them(
        self, play: str, options: str, joined: str
    ) -> None:
        found = lines(f"{play}\n{options}")
        assert [line["error"] for line in found] == ["not tried", "not understood"]
        assert found[1]["suggest"] == joined

    @pytest.mark.parametrize("line", ["Mark", "mark my words", "out of office", "statt"])
    def test_words_of_options_alone_are_prose(self, line: str) -> None:
        assert only(line).ignored == "prose"

    def test_previews_join_nothing(self) -> None:
        found = lines("preview cat L1\nbee R3")
        assert found[0]["args"] == board("cat L1")
        assert found[1]["args"] == board("bee R3")


class TestTables:
    """1.9"""

    def test_turns_for_several_tables(self) -> None:
        text = "game 3\ntake fox\ngame 5\ntake hen\npaly"
        assert states(text, addressed="person") == [
            "game", "take", "game", "not tried", "not understood",
        ]  # fmt: skip

    def test_a_turn_without_its_table_is_asked(self) -> None:
        found = only("take fox", addressed="person")
        assert found.error == "ambiguous"
        assert found.code == "which-table"
        assert states("status\nsay all: hi", addressed="person") == ["status", "say"]

    @pytest.mark.parametrize("line", ["games", "help", "rules", "test", "join 3", "new game X"])
    def test_the_servers_own_address_takes_few_commands(self, line: str) -> None:
        assert only(line, addressed="server").error is None

    @pytest.mark.parametrize("line", ["take fox", "status", "resign", "say all: hi", "pass"])
    def test_the_servers_own_address_refuses_the_others(self, line: str) -> None:
        assert only(line, addressed="server").error == "refused"
