"""The templates of the letters: the built-in ones, and the operator's own.

A file in ``instance/mail_templates/`` takes the place of the built-in one of the same
name.  An installation that has that folder runs all of them in Jinja's sandbox; the built-in
ones alone, which are as trusted as the code, do without.  An unknown variable is an error.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup, escape

from pbem.commands import spoken_command, would_parse
from pbem.commands.speech import setting_word
from pbem.letters.answered import Answered, AnsweredLine
from pbem.letters.cards import signed_halves
from pbem.letters.context import GameWords
from pbem.letters.plain import EXAMPLE_MARK, STRONG, WEAK, example_lines, quote
from pbem.letters.story import ResultRow, Story
from pbem.letters.styles import Styles, styles_in
from pbem.letters.table import MarkerRow, Player, ShownCard, Table
from pbem.translation import _, language, listing, markup

BUILT_IN = Path(__file__).parents[2] / "mail_templates"

_PLAIN = frozenset(
    {Table, Player, MarkerRow, ShownCard, GameWords, Story, ResultRow, Answered, AnsweredLine}
)
_NOTHING = object()
HAN = "\u2e7f"  # Chinese characters stand behind it
_INCLUDE = re.compile(r'\{% include "([^"]+)" %\}(\n?)')
_MEANING = re.compile(r": (?=[a-z])")  # between the form of a command and what it does


class _StyledLoader(FileSystemLoader):
    """Gives HTML templates their inline styles as they are loaded."""

    def __init__(self, folder: Path, styles: Styles) -> None:
        super().__init__(folder)
        self._styles = styles

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        source, path, uptodate = super().get_source(environment, template)
        if template.endswith(".html"):
            source = self._styles.inlined(source)
        return source, path, uptodate


class _BuiltInLoader(_StyledLoader):
    """Puts what a template includes in its place as it is loaded, which spares making a context
    for each of a dozen pieces of a letter.  An operator's may change at any time; ours do not."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        source, path, uptodate = super().get_source(environment, template)
        kind = template.rpartition(".")[2]  # what escapes is put into nothing that does not

        def included(match: re.Match[str]) -> str:
            if not match[1].endswith(kind):
                return match[0]
            piece = self.get_source(environment, match[1])[0].removesuffix("\n")
            # A line's end behind a tag is dropped; it must not be dropped twice.
            return piece + match[2] if piece.endswith("%}") else piece

        return _INCLUDE.sub(included, source), path, uptodate


class _Sandbox(SandboxedEnvironment):
    """The sandbox, which does not look twice at what letters are made of: the public
    attributes of these values are data, and most of what templates ask for."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) in _PLAIN and attribute[:1] != "_":
            found = getattr(obj, attribute, _NOTHING)
            if found is not _NOTHING:
                return found
        return super().getattr(obj, attribute)


@cache
def built_in() -> Environment:
    """The templates of the product."""
    loader = _BuiltInLoader(BUILT_IN, styles_in(BUILT_IN))
    return _environment(Environment, loader, reload=False)


def own(folder: Path) -> Environment | None:
    """The operator's templates over the built-in ones; None where there are none."""
    return _own(folder) if folder.is_dir() else None


@cache
def _own(folder: Path) -> Environment:
    styles = styles_in(BUILT_IN)
    loaders = [_StyledLoader(folder, styles), _StyledLoader(BUILT_IN, styles)]
    return _environment(_Sandbox, ChoiceLoader(loaders), reload=True)


def _environment(kind: type[Environment], loader: BaseLoader, *, reload: bool) -> Environment:
    environment = kind(
        loader=loader,
        undefined=StrictUndefined,
        autoescape=lambda name: name is not None and name.endswith(".html"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=reload,
        cache_size=-1,  # there are more than two hundred files, and all are small
    )
    environment.filters |= {
        "plain": _plain,
        "rich": _rich,
        "quoted": _quoted,
        "example": _example,
        "examples": _examples,
        "heading": _heading,
        "listed": listing,
        "told": _told,
    }
    markup.install(environment)
    environment.globals |= {
        "order": _order, "setting": _setting, "say_all": _say_all, "say_to": _say_to,
    }  # fmt: skip
    environment.globals["head_css"] = Markup(styles_in(BUILT_IN).head)  # noqa: S704 - our own file
    return environment


def _order(command: str, *words: str) -> str:
    """A command in the reader's language, with what stands behind it."""
    return " ".join((spoken_command(command, language()), *words))


def _setting(word: str) -> str:
    """A word that stands as an argument, such as `with`."""
    return setting_word(word, language())


def _say_all() -> str:
    return _say_to(_setting("all"))


def _say_to(name: str) -> str:
    said = _order("say", name)
    words = _("your words")
    return f"{said}: {words}"


def _heading(words: str) -> str:
    """A heading of the text part: in capitals, or in brackets where a script has none."""
    return f"【{words}】" if any(char > HAN for char in words) else words.upper()


def _plain(sentence: str) -> str:
    """A sentence for the text part."""
    return sentence.replace(STRONG, "").replace(WEAK, "")


def _rich(sentence: str) -> Markup:
    """A sentence for HTML: the cards in it are bold, halves are a sign."""
    safe = str(escape(signed_halves(sentence))).replace(STRONG, "<b>").replace(WEAK, "</b>")
    return Markup(safe)  # noqa: S704 - escaped above


def _quoted(words: str) -> str:
    """Somebody's words, for the text part."""
    return "\n".join(quote(words))


def _example(line: str) -> str:
    """An example of an answer: the mark keeps it from being read as a command."""
    return EXAMPLE_MARK + line


def _examples(command: str) -> str:
    """A command of any length, as examples."""
    return "\n".join(example_lines(command))


def _told(line: str) -> str:
    """A line of a longer answer; one that is a command is shown as an example."""
    bare = line.lstrip("·• ")
    if would_parse(bare):
        shown = example_lines(bare)
        # What takes two lines is one turn, which a gap below it shows.
        return "\n".join(shown if len(shown) == 1 else ["", *shown, ""])
    if line.startswith(EXAMPLE_MARK):
        return _MEANING.sub(r"\n  ", line, count=1)
    return line
