"""`_` and `ngettext` in Jinja templates.

Where a template escapes (HTML), the sentence and every value in it are escaped, except
values that are markup already; what comes out is markup.  Elsewhere it is plain text.
"""

from functools import lru_cache
from string import Formatter

from jinja2 import Environment, pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

from pbem.translation.speaking import language, translated, translated_for


def install(environment: Environment) -> None:
    """Let the templates of this environment speak."""
    environment.globals |= {"_": _say, "ngettext": _say_number, "spoken_language": language}
    environment.filters["strong"] = _strong


@pass_eval_context
def _say(context: EvalContext, sentence: str, /, **values: object) -> str:
    if not values:
        return _plain(language(), sentence, escaped=context.autoescape)
    return _filled(context, translated(sentence), values)


@lru_cache(maxsize=8192)
def _plain(_language: str, sentence: str, *, escaped: bool) -> str:
    """A sentence without values in the language spoken, which it is kept by."""
    said = translated(sentence)
    return Markup(_escaped(said)) if escaped else said  # noqa: S704 - escaped before


@pass_eval_context
def _say_number(context: EvalContext, one: str, many: str, count: int, /, **values: object) -> str:
    return _filled(context, translated_for(one, many, count), {"count": count, **values})


@pass_eval_context
def _strong(context: EvalContext, value: object) -> str:
    """Emphasised in HTML, as it is in text."""
    if not context.autoescape:
        return str(value)
    return Markup(f"<b>{_Escaped(value)}</b>")  # noqa: S704 - the value is escaped


def _filled(context: EvalContext, said: str, values: dict[str, object]) -> str:
    if not context.autoescape:
        return _checked(said).format_map(values) if values else said
    sentence = _escaped(said)
    if values:
        sentence = sentence.format_map({name: _Escaped(value) for name, value in values.items()})
    return Markup(sentence)  # noqa: S704 - the sentence and its values are escaped


class _Escaped:
    """A value that is escaped after it has been formatted."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, form: str) -> str:
        value = self._value
        return str(value if hasattr(value, "__html__") else escape(format(value, form)))


@lru_cache(maxsize=4096)
def _checked(sentence: str) -> str:
    """A sentence whose placeholders are plain names: a template of an operator's must not
    reach into a value this way (``{person.__class__}``) past Jinja's sandbox."""
    for _, name, _, _ in Formatter().parse(sentence):
        if name is not None and not name.isidentifier():
            raise ValueError(f"placeholders are names in braces, not {{{name}}}")
    return sentence


@lru_cache(maxsize=4096)
def _escaped(sentence: str) -> str:
    return str(escape(_checked(sentence)))
