"""Cards in sentences: a name that can take its article.

A translated sentence says which form it needs behind the placeholder's name: the German
``{card:den} genommen`` gives "den Fuchs", "die Katze", "das Huhn".  English and Chinese
write the plain ``{card}``.
"""

from functools import lru_cache

from pbem.commands.speech import card_name
from pbem.commands.vocabulary.cards_german import GENDERS, WEAK

_ARTICLES = {
    "der": {"der": "der", "die": "die", "das": "das", "die (plural)": "die"},
    "den": {"der": "den", "die": "die", "das": "das", "die (plural)": "die"},
    "dem": {"der": "dem", "die": "der", "das": "dem", "die (plural)": "den"},
}
"""The form asked for (that of the masculine), then the article of the noun itself."""
_GENDER = {name: gender for gender, names in GENDERS.items() for name in names.split()}


class Noun(str):
    """A card's name in one language.

    ``before`` and ``after`` stand around the name, behind the article: what emphasises it."""

    before = after = ""

    def __format__(self, form: str) -> str:
        if not form:
            return self._shown()
        stem, space, number = str(self).partition(" ")
        gender = _GENDER.get(stem)
        articles = _ARTICLES.get(form.lower())
        if gender is None or articles is None:
            return self._shown()  # a name that only some deck knows
        article = articles[gender]
        if form[0].isupper():
            article = article.capitalize()
        name = stem if form.lower() == "der" else WEAK.get(stem, stem)
        return f"{article} {self.before}{name}{space}{number}{self.after}"

    def _shown(self) -> str:
        return self.before + self + self.after

    def emphasised(self, before: str, after: str) -> "Noun":
        """The same noun with marks around its name."""
        noun = Noun(self)
        noun.before, noun.after = before, after
        return noun


@lru_cache(maxsize=1024)
def card_noun(card: str, language: str) -> Noun:
    """The name of a card as it is printed in this language."""
    return Noun(card_name(card, language))
