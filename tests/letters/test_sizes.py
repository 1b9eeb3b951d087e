"""No letter is so large that a mail program cuts it off, however long the ark is."""

from dataclasses import replace

import pytest
from sqlmodel import Session, select

from engine.cards import builtin_deck
from pbem.letters import Site, templates
from pbem.letters.context import context_of
from pbem.letters.render import fill
from pbem.letters.stage import START, Stage
from pbem.letters.styles import styles_in
from pbem.letters.table import laid_out
from pbem.store import Letter
from pbem.store.log import Seen
from pbem.translation import speaking

MOST = 90_000  # bytes; large providers cut off at 102,400
LONG = "W" * 24  # the longest name there can be


@pytest.mark.parametrize("cabins", [19, 20])
@pytest.mark.parametrize("language", ["en", "de", "zh-Hant", "zh-Hans"])
def test_twenty_cabins_a_side(session: Session, site: Site, language: str, cabins: int) -> None:
    """Every card that nobody holds is aboard, in as many cabins as no game has had; what the
    last round brought is framed."""
    with speaking(language):
        Stage(session, site, 5, "long").begin()
        row = session.exec(select(Letter).where(Letter.kind == "your-turn")).one()
        styles = styles_in(templates.BUILT_IN)
        context = context_of(session, site, row, styles)
        seen = context["table"].view
        ashore = {*seen.hand, *seen.display}
        aboard = [card.name for card in builtin_deck().cards if card.name not in ashore]
        crews = [tuple(aboard[number :: 2 * cabins]) for number in range(2 * cabins)]
        assert all(1 <= len(crew) <= 3 for crew in crews)
        ark = {"L": tuple(crews[:cabins]), "R": tuple(crews[cabins:])}
        news = [_play(seq, name, f"L{cabins - seq}") for seq, name in enumerate(aboard[:10])]
        table = laid_out(replace(seen, ark=ark), [LONG] * 5, news, news, styles, first=False)
        context |= {"table": table, "person": LONG}
        for kind in ("your-turn", "begins", "what-happened", "reminder"):
            html = fill(site, kind, context | {"seats": [], "rung": 1})[2]
            assert html.count('scope="row"') + html.count("scope=row") >= 2 * cabins
            assert len(html.encode()) < MOST, kind


def _play(seq: int, card: str, cabin: str) -> Seen:
    facts = {
        "card": card, "cabin": cabin, "opened": True, "cost": 1, "timber_to": 1, "take": "fox",
        "out": None, "bank": 0, "marks": [{"kind": "heavy", "count": 1.5}], "balance": 0,
    }  # fmt: skip
    return Seen(seq, START, "play", seq % 5, facts)
