"""The cards in German: printed name first, then variants and inflected forms.

Genitive ("statt des Fuchses"), weak inflection ("den Elefanten") and plural are listed, never
guessed. ß and ss are the same after folding; the spellings with ae, oe, ue are added by the
lexicon.
"""

CARDS = {
    "bronto": "Brontosaurus, Bronto, Brontos, Brontosaurier, Brontosauriers",
    "tyranno": "Tyrannosaurus, Tyranno, Tyrannos, Tyrannosaurus Rex, Tyrannosaurier, T-Rex",
    "mammoth": "Mammut, Mammuts, Mammute, Wollmammut",
    "walrus": "Walross, Walrosses, Walrosse",
    "elephant": "Elefant, Elefanten",
    "hippo": "Nilpferd, Nilpferds, Nilpferdes, Nilpferde, Flusspferd, Flusspferds, Flusspferde",
    "rhino": "Nashorn, Nashorns, Nashörner, Rhinozeros",
    "polar-bear": "Eisbär, Eisbären, Polarbär, Polarbären",
    "brown-bear": "Braunbär, Braunbären",
    "bison": "Bison, Bisons, Wisent, Wisents, Büffel, Büffels",
    "turtle": "Schildkröte, Schildkröten",
    "snail": "Schnecke, Schnecken",
    "caterpillar": "Raupe, Raupen",
    "chameleon": "Chamäleon, Chamäleons",
    "toad": "Kröte, Kröten",
    "sloth": "Faultier, Faultiers, Faultiere",
    "koala": "Koala, Koalas, Koalabär, Koalabären",
    "dodo": "Dodo, Dodos, Dronte, Dronten",
    "anteater": "Ameisenbär, Ameisenbären, Ameisenfresser, Ameisenfressers",
    "seal": "Seehund, Seehunds, Seehundes, Seehunde, Robbe, Robben",
    "hamster": "Hamster, Hamsters",
    "mouse": "Maus, Mäuse",
    "lemming": "Lemming, Lemmings, Lemminge",
    "squirrel": "Eichhörnchen, Eichhörnchens, Eichkätzchen, Eichkätzchens",
    "rabbit": "Kaninchen, Kaninchens, Hase, Hasen, Häschen",
    "flamingo": "Flamingo, Flamingos",
    "gazelle": "Gazelle, Gazellen",
    "zebra": "Zebra, Zebras",
    "ostrich": "Strauß, Straußes, Strauße, Vogel Strauß",
    "deer": "Hirsch, Hirsches, Hirschs, Hirsche, Reh, Rehs, Rehes, Rehe",
    "chamois": "Gämse, Gämsen, Gams, Gemse, Gemsen",
    "bee": "Biene, Bienen, Honigbiene",
    "cat": "Katze, Katzen, Kater, Katers",
    "dog": "Hund, Hunds, Hundes, Hunde",
    "hen": "Huhn, Huhns, Huhnes, Hühner, Henne, Hennen",
    "hedgehog": "Igel, Igels",
    "sheep": "Schaf, Schafs, Schafes, Schafe",
    "reindeer": "Rentier, Rentiers, Rentieres, Rentiere, Ren, Rens",
    "pig": "Schwein, Schweins, Schweines, Schweine, Sau",
    "donkey": "Esel, Esels",
    "horse": "Pferd, Pferds, Pferdes, Pferde",
    "camel": "Kamel, Kamels, Kamele",
    "fox": "Fuchs, Fuchses, Füchse",
    "mosquito": "Mücke, Mücken, Stechmücke, Stechmücken, Moskito, Moskitos",
    "spider": "Spinne, Spinnen",
    "skunk": "Stinktier, Stinktiers, Stinktieres, Stinktiere, Skunk, Skunks",
    "chimpanzee": "Schimpanse, Schimpansen",
    "dates": "Datteln, Dattel",
    "grain": "Getreide, Getreides, Korn, Korns",
}

SHARED = {
    "Bär": ("polar-bear", "brown-bear"),
    "Bären": ("polar-bear", "brown-bear"),
}

GENDERS = {
    "der": "Brontosaurus Tyrannosaurus Elefant Eisbär Braunbär Bison Koala Dodo Ameisenbär Seehund "
    "Hamster Lemming Flamingo Strauß Hirsch Hund Igel Esel Fuchs Schimpanse",
    "die": "Schildkröte Schnecke Raupe Kröte Maus Gazelle Gämse Biene Katze Mücke Spinne",
    "das": "Mammut Walross Nilpferd Nashorn Chamäleon Faultier Eichhörnchen Kaninchen Zebra Huhn "
    "Schaf Rentier Schwein Pferd Kamel Stinktier Getreide",
    "die (plural)": "Datteln",
}
"""The article of each printed name."""

WEAK = {
    "Elefant": "Elefanten", "Eisbär": "Eisbären", "Braunbär": "Braunbären",
    "Ameisenbär": "Ameisenbären", "Schimpanse": "Schimpansen",
}  # fmt: skip
"""The form that names of the weak declension take in all cases but the nominative."""
