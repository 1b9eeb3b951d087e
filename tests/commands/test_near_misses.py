"""What comes near a command and must not act (3.1, 3.5 to 3.7)."""

import pytest

from tests.commands.reading import LANGUAGES, acts, lines, only

SUGGESTED = {
    # typing errors
    "paly fox L2": "play fox L2",
    "play fix L2": "play fox L2",
    "play foxx L2": "play fox L2",
    "tkae fox": "take fox",
    "take fxo": "take fox",
    "tale fox": "take fox",
    "take hedgehgo": "take hedgehog",
    "play fox I2": "play fox L2",
    "play fox 12": "play fox L2",
    "play fox |2": "play fox L2",
    "pas": "pass",
    "staus": "status",
    "hlep": "help",
    "nimn Fuchs": "take fox",
    "spiele Fuhcs L2": "play fox L2",
    # the wrong order, or only half of it
    "fox": "take fox",
    "Fuchs": "take fox",
    "狐狸": "take fox",
    "L2 fox": "play fox L2",
    "then bee R3": "play bee R3",
    "and play bee R3": "play bee R3",
    "然後放蜜蜂右3": "play bee R3",
    "in L2 the fox": "play fox L2",
    "3L fox": "play fox L3",
    "1. L2 fox": "play fox L2",
    "Fuchs nehmen": "take fox",
    "den Fuchs nehmen": None,  # begins with neither a card nor a command: prose
    "the fox, L2 now": "play fox L2",
    "play fox L2 now": "play fox L2",
    "play fox L2 Ann": "play fox L2",
    "Hi, play fox L2": "play fox L2",
    "ok play fox L2": "play fox L2",
    "play fox: L2": "play fox L2",
    "play fox L2 bee R3": "play fox L2 + bee R3",
    "play cat L1 play bee R3": "play cat L1 + bee R3",
    "play fox L2...": "play fox L2",
    "take fox...": "take fox",
    "take fox…": "take fox",
    "play polar bear new R8": "play polar bear R8",
    "play fox to the new L2 cabin": "play fox L2",
    "take fox]": "take fox",
    "foxL2": "play fox L2",
    "FuchsR3": "play fox R3",
    # other commands
    "wyh fox L2": "why fox L2",
    "legall fox": "legal fox",
    "preview L2 fox": "preview play fox L2",
    "preveiw take fox": "preview take fox",
    "登般狐狸左3": "play fox L3",
}

NOT_UNDERSTOOD = """
    take | play | pet | play fox | play L2 | take L2 | take fox hen | take the | draw conclusions
    Take your time, Bo! | Play nicely! | put it there | Pass auf! | pass on | pass the fox | passs
    pass L2 | pass fox | pass and take fox | please pass me | Pass it on, Ann
    pass if you like | I pass, Bo | fox is nice | cats L2 rock | what about L2 | meet me at R3
    play f L2 | play fox L | play fox LL2 | play fox L2a | play fox L2x | play foxL2 | take2 fox
    play fox L1000 | play fox L2 mark | play fox L2 mark fox | play fox L2 out | play fox L2 take
    play fox L2 mark shy mark slow | play fox L2 take hen take bee | play fox L2 out hen out bee
    play fox L2 + | play fox L2 and | play + fox L2 | play cat L1 + bee | play cat L1 and pass
    pet fox hen | pet L2 | pet fox none | say hi | say | say: hi | say all hi | say to all
    legal L2 | why fox | why L2 | why fox L2 bee | why did you do that | history of mankind
    rules are rules | help me | help yourself | game over | game | join us | join | leave it to me
    leave now | resign yourself | hand over | scores please now | confirm maybe it | note
    plan to be away | plan if: take fox | plan if x take fox | plan if bee in L2: | plan: nothing
    new game | new game with x | invite Bo | language klingon | mail me | quiet please all
    timezone Atlantis | vacation soon | vacation 31 Feb | remind me | vote | observe
    stop nothing L2 | lade ein | spiele schön | nimm es leicht | lege los | ziehe weiter
    不放狐狸到左3 | 放心吧 | 取消 | 登船狐狸 | 登船左3 | 狐狸在哪裡 | 放狐狸 | 取狐狸母雞
    放棄狐狸
    preview | preview fox | preview L2 fox | Vorschau auf morgen | take "fox"
    See L2 | Hu L2 | do L2 | be L2 | fo L2 | ca L1 | Was ist mit L3
"""

NEGATED = """
    don't play fox L2 | don’t play fox L2 | do not play fox L2 | never play fox L2 | not fox L2
    play fox L2 if free | play fox L2 if hen is gone | if fox L2 | take fox or hen
    play fox L2 or R2
    fox L2 or bee R3 | play not fox L2 | play no fox L2 | I won't play fox L2 | no play fox L2
    wait play fox L2 | play fox L2 instead | play fox L2, or wait | play fox in L2 unless full
    spiele nicht Fuchs L2 | nimm Fuchs oder Henne | nimm den Fuchs nicht | Fuchs L2, wenn frei
    spiele Fuchs L2 falls frei | nimm doch den Fuchs | kein Fuchs in L2 | spiele keinen Fuchs L2
    ich nehme nicht den Fuchs | 取狐狸或母雞 | 登船狐狸左3或右3 | 如果狐狸左3 | 別放狐狸到左3
    不要登船狐狸左3 | 我不登船狐狸左3 | 放棄不 | pass or not | not pass L2 | take fox, not hen
"""


def phrasings(text: str) -> list[str]:
    return [
        each.strip() for line in text.splitlines() for each in line.split(" | ") if each.strip()
    ]


@pytest.mark.parametrize("line", SUGGESTED)
def test_is_only_suggested(line: str) -> None:
    found = only(line)
    suggestion = SUGGESTED[line]
    if suggestion is None:
        assert found.ignored == "prose"
        return
    assert (found.error, found.command, found.suggest) == ("not understood", None, suggestion)
    assert only(suggestion).error is None, "what is suggested is understood"


@pytest.mark.parametrize("line", SUGGESTED)
def test_suggestions_speak_the_players_language_and_are_understood(line: str) -> None:
    for language in LANGUAGES:
        suggestion = only(line, language=language).suggest
        if SUGGESTED[line]:
            assert suggestion
            assert only(suggestion, language=language).error is None


def test_the_options_of_a_suggestion_are_in_the_players_language() -> None:
    assert only("登船 暴龍 L4 拿 山羊", language="zh-Hant").suggest == "登船 暴龍 L4 取 綿羊"
    assert only("play skunc L6 out deer", language="de").suggest == (
        "spiele Stinktier L6 vertreibe Hirsch"
    )


@pytest.mark.parametrize("line", phrasings(NOT_UNDERSTOOD))
def test_is_meant_but_not_understood(line: str) -> None:
    for language in LANGUAGES:
        for found in lines(f"{line}\ntake hen", language=language)[-2:]:
            assert found["error"] == (
                "not tried" if found["line"] == "take hen" else "not understood"
            )


@pytest.mark.parametrize("line", phrasings(NEGATED))
def test_a_negation_a_condition_or_an_or_never_executes(line: str) -> None:
    for language in LANGUAGES:
        found = only(line, language=language)
        assert found.error == "not understood"
        assert found.suggest is None, "what was denied is not suggested"
        assert not acts(f"take hen\n{line}", language=language)


@pytest.mark.parametrize("line", ["note", "join", "jion", "say", "notw"])
def test_half_a_command_is_not_suggested(line: str) -> None:
    assert only(line).suggest is None


EVERYDAY = "Gut. | Tag! | Passt! | Hans | Jon | Day! | Lage"


@pytest.mark.parametrize("line", phrasings(EVERYDAY))
def test_a_word_of_its_own_is_no_typing_error(line: str) -> None:
    assert only(line).ignored == "prose"


def test_a_players_name_is_no_typing_error() -> None:
    assert only("Hande").error == "not understood"
    assert only("Hande", names=("Hande", "Bo")).ignored == "prose"


QUESTIONS = """
    take fox? | play fox L2? | take fox？ | take fox ?! | I play fox L2? | pass? | pet fox?
    fox L2?
    nimm den Fuchs? | 取狐狸嗎 | 取狐狸吗？ | 登船狐狸左3嗎？ | take fox please?
    play cat L1 + bee R3?
"""


@pytest.mark.parametrize("line", phrasings(QUESTIONS))
def test_a_question_mark_makes_a_turn_a_preview(line: str) -> None:
    found = only(line)
    assert found.error is None
    assert found.preview
    assert found.command in ("take", "play", "pass", "pet")
    assert found.to_json()["preview"] is True
    assert not acts(line)


@pytest.mark.parametrize("line", ["status?", "hand?", "legal fox?", "help?", "rules?", "games?"])
def test_a_question_mark_behind_a_question_changes_nothing(line: str) -> None:
    assert only(line).error is None
    assert not only(line).preview


@pytest.mark.parametrize(
    "line", ["resign?", "leave?", "undo?", "confirm off?", "accept?", "join 3?"]
)
def test_a_question_about_a_deed_is_not_the_deed(line: str) -> None:
    assert only(line).error == "not understood"
    assert only(line).code == "question"


def test_a_question_mark_inside_the_line_is_a_leftover() -> None:
    assert only("take fox? hen").error == "not understood"


def test_a_preview_is_the_same_turn_under_another_word() -> None:
    found = only("preview play cat L1 + bee R3")
    assert found.command == "preview"
    assert found.preview
    assert found.args == only("play cat L1 + bee R3").args
    assert not acts("preview take fox\nVorschau: nimm Fuchs\n預覽取狐狸")
