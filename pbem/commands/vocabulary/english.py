"""English."""

from pbem.commands.vocabulary.cards_english import CARDS, SHARED
from pbem.commands.vocabulary.tongue import Tongue

ENGLISH = Tongue(
    cards=CARDS,
    shared=SHARED,
    commands={
        "take": "take, gather, draw",
        "play": "play, board, load, put",
        "pet": "pet",
        "pass": "pass",
        "preview": "preview",
        "confirm": "confirm",
        "plan": "plan",
        "say": "say",
        "note": "note",
        "status": "status",
        "hand": "hand",
        "scores": "scores, score",
        "legal": "legal",
        "why": "why",
        "history": "history",
        "rules": "rules, rule",
        "help": "help",
        "games": "games",
        "game": "game",
        "new game": "new game",
        "invite": "invite",
        "accept": "accept",
        "decline": "decline",
        "join": "join",
        "leave": "leave",
        "resign": "resign",
        "rematch": "rematch",
        "observe": "observe",
        "resend": "resend",
        "undo": "undo",
        "pause": "pause",
        "resume": "resume",
        "vote": "vote",
        "vacation": "vacation",
        "timezone": "timezone, time zone",
        "quiet": "quiet",
        "remind": "remind",
        "language": "language",
        "mail": "mail",
        "address": "address",
        "my data": "my data",
        "forget me": "forget me",
        "never again": "never again",
        "test": "test",
    },
    options={
        "out": "out, drive out, drives out, driving out, instead of",
        "drive": "drive, drives, driving",
        "mark": "mark, marks, marking",
        "take": "take, takes, taking",
    },
    kinds={
        "heavy": "heavy",
        "slow": "slow",
        "shy": "shy",
        "useful": "useful",
        "provision": "provision, provisions",
    },
    settings={
        "on": "on",
        "off": "off",
        "to": "to, until, till",
        "with": "with",
        "for": "for",
        "time": "time",
        "deck": "deck",
        "if": "if",
        "or": "or",
        "and": "and",
        "all": "all, everyone, everybody, table",
        "moderator": "moderator",
        "add": "add",
        "remove": "remove",
        "utc": "utc, gmt",
        "yes": "yes, agree",
        "no": "no, disagree",
        "html": "html",
        "text": "text",
        "every": "every",
        "mine": "mine",
        "digest": "digest",
        "now": "now, at once",
    },
    sides={"L": "left", "R": "right", "new": "new"},
    courtesy="please, pls, plz, thanks, thank you, thx, kindly",
    subjects="I, I'll, I will, I'd like to, I want to, we, we'll, we will",
    fillers=(
        "to, in, into, onto, on, at, from, the, my, a, an, card, cabin, cabins"
    ),
    joiners="and, then, plus",
    question="",
    none="none, nothing",
    prefixes="",
    sign_offs=(
        "thanks, thank you, thanks a lot, thanks a million, thanks again, thanks so much, "
        "many thanks, much appreciated, thank you very much, thank you so much, thx, tx, ty, "
        "thanks in advance, thanks and regards, thanks and best regards, with thanks, "
        "best regards, kind regards, warm regards, kindest regards, warmest regards, "
        "regards, rgds, br, kr, best, best wishes, with best wishes, all best, all the best, "
        "with best regards, with kind regards, my best, wishing you well, greetings, "
        "cheers, cheerio, ciao, yours, yours sincerely, yours truly, yours faithfully, "
        "yours ever, sincerely, sincerely yours, faithfully, respectfully, cordially, "
        "love, lots of love, much love, hugs, xx, xxx, xoxo, "
        "bye, bye bye, bye for now, goodbye, good bye, so long, farewell, later, laters, "
        "see you, see ya, see you soon, see you later, see you then, cu, talk soon, "
        "talk to you soon, speak soon, until next time, until then, take care, stay safe, "
        "take it easy, be well, good luck, good luck all, have fun, good night, "
        "have a nice day, have a good day, have a great day, have a nice evening, "
        "have a good evening, have a nice weekend, have a good weekend, have a great weekend, "
        "have a good one, enjoy your day, enjoy the weekend, peace, merci, gracias, saludos, "
        "cordialement, grazie, obrigado, bedankt, groetjes, tack, hilsen, mvh"
    ),
    addressees="all, everyone, everybody, you all, folks, guys, friends, both, team",
    stop_words=(
        "no, not, don't, dont, wait, if, or, instead, nor, never, unless, cannot, can't, cant, "
        "won't, wont, isn't, aren't, wasn't, weren't, doesn't, didn't, hasn't, haven't, hadn't, "
        "wouldn't, couldn't, shouldn't, mustn't, ain't, maybe, perhaps, cancel, "
        "neither, whether"
    ),
    everyday=(
        "day, way, pay, may, but, cut, let, get, set, yet, got, rest, text, best, main, land, "
        "sand, band, dare, cake, lake, made, make, road, toad, broad, hans, hana, hank, ray, kay, "
        "jay, fay, pat, pete, peg, pit, nate, jon, joan, tess, jess, jade, lee"
    ),
    numbers={
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
        "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
        "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
        "twenty": 20,
    },
    months={
        "january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4,
        "apr": 4, "may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8,
        "september": 9, "sep": 9, "sept": 9, "october": 10, "oct": 10, "november": 11, "nov": 11,
        "december": 12, "dec": 12,
    },
    languages={
        "en": "English",
        "de": "German",
        "zh-Hant": "traditional Chinese, Chinese traditional",
        "zh-Hans": "simplified Chinese, Chinese simplified",
        "zh": "Chinese",
    },
    cities={
        "Asia/Shanghai": "Beijing, Peking, Shenzhen, Guangzhou",
        "America/New_York": "Boston, Washington, Philadelphia, Miami, Atlanta",
        "America/Los_Angeles": "San Francisco, Seattle, San Diego, Portland",
        "America/Chicago": "Houston, Dallas, Austin",
        "Europe/Berlin": "Munich, Hamburg, Frankfurt, Cologne, Stuttgart, Nuremberg, Erlangen",
        "Europe/London": "Edinburgh, Manchester, Cambridge, Oxford",
        "Asia/Kolkata": "Mumbai, Delhi, New Delhi, Bangalore, Calcutta",
        "Asia/Tokyo": "Osaka, Kyoto",
        "Europe/Zurich": "Geneva, Basel, Bern",
        "Europe/Vienna": "Graz, Salzburg",
    },
)  # fmt: skip
