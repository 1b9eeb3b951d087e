"""Turns as people write them, in every language at once (commands.md 2, 3)."""

import pytest

from tests.commands.reading import LANGUAGES, PASS, board, gather, only, pet

TAKES = {
    "fox": """
        take fox | Take Fox | TAKE FOX | take the fox | I take fox | I'll take the fox
        I’ll take fox | we take fox | we'll take the fox, please | please take fox
        Please, take the fox. | take fox please | take fox, please! | take fox, thanks
        take fox thank you | gather fox | gather the fox | draw fox | I draw the fox
        take: fox | Take: the fox | ｔａｋｅ　ｆｏｘ | take fox!!! | "take fox" | “take fox”
        'take fox' | «take fox» | „take fox“ | *take fox* | take *fox* | take fox 🦊
        🦊 take fox | - take fox | • take fox | * take fox | 1. take fox | 2) take fox
        1.take fox | -take fox | •take fox
        (3) take fox | take fox # my favourite | take fox // at last | "take fox".
        "take fox." | take fox :-) | take fox ;-) | take  fox | take fo | 1️⃣ take fox
        nimm Fuchs | nimm den Fuchs | Nimm bitte den Fuchs! | bitte nimm Fuchs
        ich nehme den Fuchs | Ich nehme Fuchs. | wir nehmen den Fuchs | ziehe Fuchs
        ich ziehe den Fuchs | nehme Fuchs | nehmen Fuchs | nimm den Fuchs, danke | zieh Fuchs
        nimm fox | take Fuchs | nimm: den Fuchs | ich möchte den Fuchs nehmen?no
        取狐狸 | 取 狐狸 | 拿狐狸 | 糾集狐狸 | 纠集狐狸 | 我取狐狸 | 我要取狐狸 | 請取狐狸
        请取狐狸
        取狐狸。 | 取狐狸！ | 「取狐狸」 | 『取狐狸』 | 取：狐狸 | 取狐狸，謝謝 | 取狐狸谢谢
        取狐
        我要拿狐狸 | 1、取狐狸 | 取fox | take 狐狸 | 把狐狸拿 | ● 取狐狸
        """,
    "polar-bear": """
        take polar bear | take polar-bear | take polarbear | take Polar Bear | take polar
        take the polar‑bear | nimm Eisbär | nimm den Eisbären | nimm den Eisbaeren | nimm Eis-Bär
        取北極熊 | 取北极熊 | 取白熊 | 取北 | nimm den EISBÄREN | nimm eisba\u0308r
        """,
    "grain": """
        take grain | take Getreide | nimm das Getreide | 取穀物 | 取谷物 | nimm Korn | take gra
        """,
    "grain-2": "take grain 2 | take grain-2 | take grain2 | nimm Getreide 2 | 取穀物2 | 取谷物二",
    "rabbit": """
        take rabbit | nimm Kaninchen | nimm den Hasen | nimm Hase | 取兔子 | 取兔 | take bunny
        """,
    "ostrich": "nimm Strauß | nimm den Strauss | NIMM STRAUSS | 取鴕鳥 | 取鸵鸟",
    "chamois": "nimm die Gämse | nimm Gaemse | nimm Gemse | nimm Gams | take chamois",
    "chimpanzee": "take chimp | take chimpanzee | nimm den Schimpansen | 取黑猩猩",
    "turtle": """
        take turtle | nimm die Schildkröte | nimm Schildkroete | 取烏龜 | 取乌龟 | take tortoise
        """,
    "tyranno": "take tyranno | take T-Rex | take t rex | take trex | 取暴龍 | 取霸王龙",
    "hen": "take hen | nimm die Henne | nimm Huhn | 取母雞 | 取母鸡",
    "toad": "take toad | nimm die Kröte | take to the toad",
}  # fmt: skip

PLAYS = {
    ("fox L2",): """
        play fox L2 | fox L2 | Fox to L2 | put fox in L2 | play fox L2 please | board fox L2
        load fox L2 | Put the fox into L2, please! | I play fox to L2 | I'll put the fox in L2
        we put my fox into cabin L2 | play fox in left 2 | play fox l 2 | play fox L-2
        play fox 2L | fox 2l | play fox L2. | play fox L–2 | play: fox L2 | play the fox, L2?no
        Play fox, please, L2 | play fox left two | play fox left2 | fox, please, to L2
        play fo L2 | "play fox L2" | 1. play fox L2 | 2) fox L2 | play fox ｌ２ | play fox L02
        spiele Fuchs L2 | spiel den Fuchs in L2 | lade Fuchs in L2 ein | lege Fuchs nach L2
        setze den Fuchs auf L2 | lade den Fuchs in Kabine L2 | ich spiele Fuchs links 2
        wir spielen den Fuchs in die Kabine links 2 | Fuchs L2 | Fuchs nach links zwei
        lade den Fuchs bitte in L2 ein! | setze Fuchs in L2 rein | lege fox auf L2
        登船狐狸左2 | 登船 狐狸 左2 | 登船狐狸L2 | 放狐狸到左2號艙 | 放狐狸到左二号舱
        我放狐狸左2
        请放狐狸去左2 | 把狐狸放到左2 | 我把狐狸放到左二艙 | 狐狸左2 | 狐狸 L2 | 登船狐狸左边2
        登船狐狸2左 | 登船：狐狸左2 | 登船狐狸左二。 | 我要登船狐狸到左側2 | 将狐狸放到左2号舱
        """,
    ("fox L12",): "fox L12 | fox left twelve | 登船狐狸左十二 | Fuchs links zwölf | fox 12L",
    ("fox R20",): "登船狐狸右二十 | fox R20 | fox 20R",
    ("fox L+",): """
        play fox L+ | play fox new left | play fox L new | play fox left new | fox new L
        play fox into the new left cabin | play fox in new cabin left | fox left+
        spiele Fuchs links neu | spiele Fuchs neu links | Fuchs in die neue linke Kabine
        登船狐狸新左 | 登船狐狸左新 | 放狐狸到新左艙 | 登船狐狸新左边舱
        """,
    ("fox R+",): "fox R+ | fox new right | fox rechts neu | 登船狐狸新右",
    ("grain L3",): "play grain L3 | play grain 3L | Getreide L3 | 登船穀物左3 | play grain, L3?no",
    ("grain-2 L3",): "play grain 2 L3 | play grain-2 3L | 登船穀物2左3 | Getreide 2 links 3",
    ("cat L1", "bee R3"): """
        play cat L1 + bee R3 | play cat L1 and bee R3 | play cat L1, bee R3 | cat L1+bee R3
        play cat L1 then bee R3 | play cat L1, then bee R3 | play cat L1 and then bee R3
        play cat L1 and play bee R3 | play cat L1, then play the bee in R3 | cat L1, bee R3
        I play cat L1 and I play bee R3 | play the cat L1, the bee R3 | cat in L1 and bee in R3
        put cat in L1, put bee in R3 | play cat L1 ＋ bee R3 | play cat L1， bee R3
        spiele Katze L1 und Biene R3 | Katze L1, dann Biene R3 | spiele Katze L1 und dann Biene R3
        lade die Katze in L1 ein und die Biene in R3 | lade Katze L1, lade Biene R3
        spiele Katze L1 und spiele Biene R3 | Spiele die Katze in L1, die Biene in R3!
        登船貓左1和蜜蜂右3 | 登船猫左1，蜜蜂右3 | 登船貓左1、蜜蜂右3 | 登船貓左1，然後登船蜜蜂右3
        登船猫左1再登船蜜蜂右3 | 貓左1，蜜蜂右3 | 放貓到左1然后放蜜蜂到右3 | 登船 貓 L1 + 蜜蜂 R3
        把貓放到左1，把蜜蜂放到右3
        """,
    ("fox L6 take=hen",): """
        play fox L6 take hen | play fox L6, take hen | play fox L6 and take hen
        play fox L6, take the hen | fox L6 take hen | play fox L6 + take hen
        put fox in L6 and then take the hen, please | play fox L6 then draw hen
        spiele Fuchs L6 nimm Henne | lade Fuchs in L6 ein, nimm die Henne | Fuchs L6 und nimm Huhn
        登船狐狸左6取母雞 | 登船狐狸左6，取母鸡 | 登船狐狸左6 拿 母雞 | 登船狐狸左六然后取母鸡
        """,
    ("skunk R1 out=deer",): """
        play skunk R1 out deer | skunk R1 out deer | play skunk R1 drive out deer
        play skunk R1 drive deer out | play skunk R1 and drive the deer out
        play skunk R1 instead of deer | play skunk R1 instead of the deer | skunk R1, out deer
        play skunk R1 driving out the deer | spiele Stinktier R1 vertreibe Hirsch
        Stinktier R1, vertreib den Hirsch hinaus
        spiele Stinktier in R1 und vertreibe das Reh
        Stinktier R1 statt Hirsch | Stinktier R1 statt des Hirsches
        Stinktier in R1, vertreib Reh
        Stinktier R1 raus Hirsch | spiel Stinktier in R1, raus den Hirsch
        登船臭鼬右1驅趕鹿 | 登船臭鼬右1驱赶鹿 | 登船臭鼬右一，趕走鹿 | 放臭鼬到右1 代替 鹿
        把臭鼬放到右一，驅趕鹿 | 将臭鼬放右1驱赶鹿
        """,
    ("chimpanzee R3 mark=shy",): """
        play chimpanzee R3 mark shy | chimp R3 mark shy | play chimp R3, mark shy
        Schimpanse R3 markiere scheu | spiele Schimpansen R3 und markier scheu
        登船黑猩猩右3標記畏縮 | 登船黑猩猩右3标记害羞 | 登船黑猩猩右3 標記 害羞
        """,
    ("chimpanzee R3 mark=heavy",): """
        chimp R3 mark heavy | Schimpanse R3 markiere schwer | 登船黑猩猩右3標記笨重
        登船黑猩猩右3标记重磅
        """,
    ("chimpanzee R3 mark=slow",): """
        chimp R3 mark slow | Schimpanse R3 markiere langsam | 登船黑猩猩右3標記緩慢
        登船黑猩猩右3标记缓慢
        """,
    ("chimpanzee R3 mark=useful",): """
        chimp R3 mark useful | Schimpanse R3 markiere nützlich | 登船黑猩猩右3標記有用
        Schimpanse R3 markiere nuetzlich
        """,
    ("chimpanzee R3 mark=shy take=hen",): """
        chimp R3 mark shy take hen | chimp R3 take hen mark shy | chimp R3, take hen, mark shy
        Schimpanse R3 nimm Huhn markiere scheu | 登船黑猩猩右3取母雞標記害羞
        """,
    ("cat L6 take=hen", "bee R3"): """
        play cat L6 take hen + bee R3 | cat L6 take hen, bee R3 | cat L6, take hen, then bee R3
        lade Katze in L6 ein, nimm Huhn, dann Biene R3 | 登船貓左6取母雞，然後登船蜜蜂右3
        """,
    ("cat L6", "bee R3 take=hen"): "cat L6 + bee R3 take hen | cat L6, bee R3, take hen",
    ("polar-bear R8",): """
        polar bear R8 | play polar bear to R8 | polarbear R8 | Eisbär R8 | lade den Eisbären in R8
        登船北極熊右8 | polar-bear 8R
        """,
}  # fmt: skip

PETS = {
    "fox": """
        pet fox | pet the fox | my pet fox?no | Haustier Fuchs | 寵物狐狸 | 宠物狐狸 | pet: fox
        pet fo
        """,
    None: """
        pet none | pet nothing | Haustier keins | 寵物無 | 宠物无 | 寵物 無 | Haustier: keines
        """,
    "koala": "pet koala | Haustier Koala | 寵物無尾熊 | 寵物樹熊 | 宠物考拉",
}  # fmt: skip

PASSES = """
    pass | Pass. | PASS! | I pass | I'll pass | we pass | please pass | pass, please | passe
    ich passe | wir passen | 放棄 | 放弃 | 我放棄 | 放棄。
    我要放弃 | 1. pass | - pass | pass thanks
"""


def phrasings(text: str) -> list[str]:
    """The phrasings of a block; those marked ``?no`` are kept out (see the near misses)."""
    listed = [each.strip() for line in text.splitlines() for each in line.split(" | ")]
    return [each for each in listed if each and not each.endswith("?no")]


CASES = [
    *((line, "take", gather(card)) for card, text in TAKES.items() for line in phrasings(text)),
    *((line, "play", board(*plays)) for plays, text in PLAYS.items() for line in phrasings(text)),
    *((line, "pet", pet(card)) for card, text in PETS.items() for line in phrasings(text)),
    *((line, "pass", PASS) for line in phrasings(PASSES)),
]


@pytest.mark.parametrize(("line", "command", "args"), CASES, ids=[case[0] for case in CASES])
def test_is_read_whatever_language_the_player_has(line: str, command: str, args: object) -> None:
    for language in LANGUAGES:
        found = only(line, language=language)
        assert found.error is None, (language, found.to_json())
        assert (found.command, found.args, found.preview) == (command, args, False)


def test_there_are_hundreds_of_phrasings() -> None:
    assert len(CASES) > 300
