"""One line of help a command, in English.

No description begins with a command's word or a card: these lines go out in letters, and a piece
of a re-wrapped letter must not read as a command.
"""

HELPS = {
    "take": "this card of the display into your hand, then the top of the stack",
    "play": "one card of your hand into a cabin, or two; L+ is the next new cabin on the left",
    "pet": "your secret choice after the second rain card",
    "pass": "you are out for the rest of the end phase",
    "preview": "what would come of it; nothing is done",
    "confirm": "whether every turn is asked back first; alone: yes to what was asked",
    "plan": "a turn decided in advance; alone: shows it",
    "say": "a message to the table or to some players",
    "note": "a reminder that only you see",
    "status": "the position once more",
    "hand": "your cards, and where each one fits",
    "scores": "the points as they stand",
    "legal": "everything you may do now; with a card, its pairs too",
    "why": "the reasons for or against that cabin",
    "history": "the last turns",
    "rules": "all of them, or what concerns one card",
    "help": "this list, or more about one command",
    "games": "your tables",
    "game": "the lines below are meant for that table",
    "new game": "opens a table and invites the others",
    "invite": "more players for your table",
    "accept": "you are in; a word of yours may go into the deal",
    "decline": "you are not in",
    "join": "a seat at an open table",
    "leave": "you give up your seat; asked back first",
    "resign": "a bot plays on for you; asked back first",
    "rematch": "the same players once more",
    "observe": "the public news of a table",
    "resend": "the last letter once more",
    "undo": "asks the table for your last turn back",
    "pause": "asks the table to stop the clocks",
    "resume": "lets the clocks run again",
    "vote": "your answer to what the table was asked; the last three ask it",
    "vacation": "no deadline runs on these days, both ends included",
    "timezone": "a city, or UTC+8: the times you are shown",
    "quiet": "no reminders in these hours",
    "remind": "when you are told that a deadline is near",
    "language": "the one we write to you in",
    "mail": "the form of our letters, and how many",
    "address": "where our letters go; confirmed at the new one",
    "my data": "everything stored about you",
    "forget me": "erases what is stored about you; asked back first",
    "never again": "no invitation ever again; games you play in go on",
    "test": "shows how this mail was understood",
}

#: Placeholders in the forms of commands, as they are printed.
PLACEHOLDERS: dict[str, str] = {}
