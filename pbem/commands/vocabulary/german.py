"""German."""

from pbem.commands.vocabulary.cards_german import CARDS, SHARED
from pbem.commands.vocabulary.tongue import Tongue

GERMAN = Tongue(
    cards=CARDS,
    shared=SHARED,
    commands={
        "take": "nimm, nehme, nehmen, zieh, ziehe, ziehen",
        "play": "spiele, spiel, spielen, lade, laden, setze, setz, setzen, lege, leg, legen",
        "pet": "Haustier",
        "pass": "passe, passen",
        "preview": "Vorschau",
        "confirm": "bestätige, bestätigen",
        "plan": "Plan",
        "say": "sage, sag",
        "note": "Notiz, notiere",
        "status": "Status, Spielstand",
        "hand": "Hand, Handkarten",
        "scores": "Punkte, Punktestand",
        "legal": "erlaubt",
        "why": "warum",
        "history": "Verlauf",
        "rules": "Regeln, Regel",
        "help": "Hilfe",
        "games": "Partien",
        "game": "Partie, Spiel",
        "new game": "neue Partie, neues Spiel",
        "invite": "einladen",
        "accept": "annehmen, zusagen",
        "decline": "ablehnen, absagen",
        "join": "beitreten",
        "leave": "verlassen",
        "resign": "aufgeben",
        "rematch": "Revanche",
        "observe": "zuschauen, beobachten",
        "resend": "nochmal senden, noch einmal senden",
        "undo": "rückgängig",
        "pause": "Pause",
        "resume": "fortsetzen",
        "vote": "abstimmen",
        "vacation": "Urlaub",
        "timezone": "Zeitzone",
        "quiet": "Ruhezeit",
        "remind": "erinnern",
        "language": "Sprache",
        "mail": "Mail",
        "address": "Adresse",
        "my data": "meine Daten",
        "forget me": "vergiss mich",
        "never again": "nie wieder",
        "test": "Test",
    },
    options={
        "out": "vertreibe, vertreib, vertreiben, vertreibt, statt, anstatt, anstelle, raus, wirf",
        "drive": "",
        "mark": "markiere, markier, markieren",
        "take": "nimm, nehme, nehmen",
    },
    kinds={
        "heavy": "schwer, schwere, schweren",
        "slow": "langsam, langsame, langsamen",
        "shy": "scheu, scheue, scheuen",
        "useful": "nützlich, nützliche, nützlichen",
        "provision": "Vorrat, Vorräte, Vorräten",
    },
    settings={
        "on": "an, ein",
        "off": "aus",
        "to": "bis",
        "with": "mit",
        "for": "für, zu",
        "time": "Zeit, Bedenkzeit",
        "deck": "Kartensatz",
        "if": "wenn, falls",
        "or": "oder",
        "and": "und",
        "all": "alle, allen, Tisch",
        "moderator": "Moderator",
        "add": "zusätzlich",
        "remove": "entfernen",
        "yes": "ja, dafür",
        "no": "nein, dagegen",
        "html": "HTML",
        "text": "Text",
        "every": "jede",
        "mine": "meine",
        "digest": "Sammelpost",
        "now": "jetzt, sofort",
    },
    sides={"L": "links, linke, linken", "R": "rechts, rechte, rechten",
           "new": "neu, neue, neuen, neues"},
    courtesy="bitte, danke, danke schön, dankeschön, bitte schön, bitteschön",
    subjects="ich, wir, ich will, ich möchte, wir wollen, wir möchten",
    fillers=(
        "den, die, das, der, dem, des, auf, nach, in, im, ins, zu, zur, zum, an, von, vom, "
        "ein, eine, einen, einem, eines, mein, meine, meinen, Kabine, Kabinen, Karte"
    ),
    joiners="und, dann, danach, sowie",
    question="",
    none="keins, keines, keinen, kein, nichts",
    prefixes="auf, ein, an, rein, hinein, hinaus, raus, weg",
    sign_offs=(
        "danke, danke schön, dankeschön, danke sehr, vielen dank, herzlichen dank, besten dank, "
        "tausend dank, lieben dank, danke im voraus, vielen dank im voraus, merci vielmals, "
        "viele grüße, liebe grüße, beste grüße, schöne grüße, herzliche grüße, freundliche grüße, "
        "mit freundlichen grüßen, mit freundlichem gruß, mit besten grüßen, mit lieben grüßen, "
        "mit herzlichen grüßen, danke und gruß, "
        "freundlichen gruß, lieben gruß, besten gruß, schönen gruß, grüße, gruß, grüezi, "
        "lg, vg, bg, mfg, hg, glg, vlg, hochachtungsvoll, euer, eure, dein, deine, ihr, ihre, "
        "tschüss, tschüß, tschüs, tschau, ciao, servus, ade, baba, auf wiedersehen, wiedersehen, "
        "bis bald, bis dann, bis später, bis morgen, bis nachher, bis demnächst, mach's gut, "
        "macht's gut, schönen tag, schönen tag noch, schönen abend, schönen abend noch, "
        "schönes wochenende, gute nacht, alles gute, alles liebe, viel spaß, "
        "viel erfolg, viel glück"
    ),
    addressees="alle, allen, euch, euch allen, zusammen, ihr, an alle, leute, miteinander, dir",
    stop_words=(
        "nicht, doch, wenn, oder, nein, nie, niemals, kein, keine, keinen, keinem, keiner, falls, "
        "warte, wartet, stattdessen, vielleicht, sondern, entweder, weder, ob"
    ),
    everyday="tag, gut, passt, lage, mai, rest, fest, nett, nest, land, wand, sand, spielt, hund",
    numbers={
        "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
        "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "dreizehn": 13, "vierzehn": 14,
        "fünfzehn": 15, "sechzehn": 16, "siebzehn": 17, "achtzehn": 18, "neunzehn": 19,
        "zwanzig": 20,
    },
    months={
        "januar": 1, "jänner": 1, "februar": 2, "märz": 3, "april": 4, "mai": 5, "juni": 6,
        "juli": 7, "august": 8, "september": 9, "oktober": 10, "okt": 10, "november": 11,
        "dezember": 12, "dez": 12,
    },
    languages={
        "en": "Englisch",
        "de": "Deutsch",
        "zh-Hant": "traditionelles Chinesisch",
        "zh-Hans": "vereinfachtes Chinesisch",
        "zh": "Chinesisch",
    },
    cities={
        "Europe/Berlin": "München, Köln, Nürnberg, Leipzig, Dresden, Düsseldorf",
        "Europe/Vienna": "Wien, Linz, Innsbruck",
        "Europe/Zurich": "Zürich, Genf",
        "Asia/Hong_Kong": "Hongkong",
        "Asia/Taipei": "Taipeh",
        "Asia/Shanghai": "Schanghai",
    },
)  # fmt: skip
