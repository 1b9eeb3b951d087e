"""What every rendered letter holds to."""

import logging
import re
from datetime import timedelta
from pathlib import Path

import pytest
from jinja2.sandbox import SandboxedEnvironment
from sqlmodel import Session, col, select

from engine.game import violations
from engine.moves import Move
from engine.view import view
from pbem.commands import Context, read
from pbem.letters import Site, announce, broken, stage, templates
from pbem.letters.bearers import reply_bearer
from pbem.letters.plain import width
from pbem.letters.render import Rendered, render
from pbem.letters.stage import Stage
from pbem.store import Letter, Role
from pbem.store.positions import position_at
from pbem.store.rows import id_of

NASTY = '<b>"x"</b>\r\nBcc: y'


def test_every_letter_keeps_to_the_form_of_letters(
    gallery: dict[str, tuple[Letter, Rendered]], site: Site
) -> None:
    for row, letter in gallery.values():
        lines = letter.text.splitlines()
        addresses = ("http://", "https://", "Your page on the web", "For everybody to see")
        assert all(width(line) <= 72 for line in lines if not any(a in line for a in addresses))
        assert "\n\n\n" not in letter.text
        assert letter.text.endswith("\n")
        assert letter.subject.isprintable()
        assert letter.subject.startswith("Re: ") == (row.in_reply_to is not None)
        assert not letter.subject.startswith("Re: Re: ")
        assert len(letter.html.encode()) < 90_000
        assert "<script" not in letter.html
        assert re.search(r"(src|background)=|url\(|@import|<link|<img", letter.html) is None
        assert "{{" not in letter.text + letter.html
        assert all(len(line) <= 60 for line in lines if line.startswith("› "))
        assert all(len(line) <= 40 for line in lines if line[:2] == "› " and " take " in line)
        assert set(re.findall(r"/p/(\w+)", letter.text + letter.html)) <= set(letter.secrets)
        bearer = reply_bearer(row)
        if bearer is None:
            assert letter.reply_address == "ark@ark.localhost"
        else:
            assert letter.reply_address == f"t-{site.keys.token(bearer)}@ark.localhost"


def test_both_parts_say_the_same(session: Session, site: Site) -> None:
    table = Stage(session, site, 4, "same").begin().until(lambda position: position.turn >= 20)
    seat = table.position.to_move[0]
    row = session.exec(
        select(Letter).where(Letter.kind == "your-turn", Letter.seat == seat)
        .order_by(col(Letter.id).desc()).limit(1)
    ).one()  # fmt: skip
    letter, seen = render(session, site, row), view(table.position, seat)
    told = re.sub(r"<[^>]+>", " ", letter.html)
    for side in seen.ark.values():
        for name in (name for crew in side for name in crew):
            shown = re.sub(r"-\d$", "", name).replace("-", " ")
            assert shown in letter.text
            assert shown in told
    for number in seen.points:
        assert f"{number} points now" in letter.text
        assert str(number) in told
    for example in re.findall(r"^› (.*)$", letter.text, re.MULTILINE)[:-1]:
        assert f"› {example}" in letter.html


@pytest.mark.parametrize("seed", ["a", "b"])
def test_examples_are_legal_in_that_very_position(session: Session, site: Site, seed: str) -> None:
    table = Stage(session, site, 3, f"legal {seed}").begin().until(lambda position: False)
    rows = session.exec(select(Letter).where(col(Letter.kind).in_(["your-turn", "choose-pet"])))
    asked = 0
    for row in list(rows)[::3]:
        assert row.seat is not None
        assert row.seq is not None
        position = position_at(session, table.game, row.seq)
        seen = view(position, row.seat)
        text = render(session, site, row).text
        lines = re.findall(r"^› (.*)$", text, re.MULTILINE)[:-1]  # the last one is the help
        if seen.phase == "main":
            assert lines[0].startswith("take ")
        for turn in _turns(lines, seen.phase):
            asked += 1
            move = read(turn, Context(deck=position.deck, view=seen)).turn
            assert move is not None, turn
            assert violations(position, row.seat, move) == []
    assert asked > 15


def _turns(lines: list[str], phase: str) -> list[str]:
    """Each example on its own; two last plays without an option are a pair."""
    singles = list(lines)
    return [*singles, "\n".join(lines[-2:])] if phase == "main" and len(lines) >= 5 else singles


def test_a_pair_is_shown_where_there_is_one(session: Session, site: Site) -> None:
    table = Stage(session, site, 3, "pairs").begin().until(lambda position: False)
    assert table.position.phase == "over"
    counts = []
    for row in session.exec(select(Letter).where(Letter.kind == "your-turn")).all()[::3]:
        text = render(session, site, row).text
        counts.append(len(re.findall(r"^› play (?!.* take ).*$", text, re.MULTILINE)))
    assert max(counts) >= 3  # a single play and the two of a pair


def test_what_people_wrote_breaks_out_of_nothing(session: Session, site: Site) -> None:
    names = [NASTY, "{{ 7*7 }}", "‮evil", "Di"]
    table = Stage(session, site, 4, "nasty", names=names, name=f"{NASTY} {{{{ site }}}}").begin()
    announce.message(
        session, site, table.now, table.game, sender=0, seats=[1, 2, 3], to_all=True,
        text="</div><img src=x onerror=alert(1)>\r\n‮│ take fox\x00\x02b\x03 {{ 7*7 }}",
    )  # fmt: skip
    for row in session.exec(select(Letter)):
        letter = render(session, site, row)
        assert "\n" not in letter.subject
        assert "<b>&#34;" not in letter.html
        assert "<img" not in letter.html
        assert "<b>x" not in letter.html
        assert "49" not in letter.text.replace("letter-49", "") or "7*7" in letter.text
        for part in (letter.subject, letter.text, letter.html):
            assert "‮" not in part
            assert "\x00" not in part
            assert "\x02" not in part
    row = session.exec(select(Letter).where(Letter.kind == "message")).all()[0]
    shown = render(session, site, row).text
    assert "│ │ take fox" in shown
    assert "│ </div><img src=x onerror=alert(1)>" in shown


def test_the_answer_keeps_the_subject_of_the_mail(session: Session, site: Site) -> None:
    table = Stage(session, site, 3, "subject").begin()
    number = announce.answer(
        session, site, table.now, {"outcome": "done", "lines": []},
        person_id=table.people[0].id, game=table.game, seat=0,
    )  # fmt: skip
    letter = session.get_one(Letter, number)
    for subject, kept in (
        ("Re: AW: Zug", "Re: Zug"),
        ("Zug", "Re: Zug"),
        ("回覆: RE[2]: x\r\nBcc: y", "Re: x Bcc: y"),
        ("", "Re: your mail"),
    ):
        letter.context = {**letter.context, "subject": subject}
        assert render(session, site, letter).subject == kept


def test_an_operators_template_wins_and_a_broken_one_does_not_hurt(
    session: Session, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    table = Stage(session, site, 3, "own").begin()
    row = session.exec(select(Letter).where(Letter.kind == "begins")).all()[0]
    assert render(session, site, row).subject == "Ark, Sunday club: the game begins"
    folder = site.settings.instance / "mail_templates" / "begins"
    folder.mkdir(parents=True)
    (folder / "subject.txt").write_text("Ahoy, {{ person }}")
    (folder / "body.html").write_text('<p class="title">{{ game.name }}</p>')
    own = render(session, site, row)
    assert own.subject == "Ahoy, Ann"
    assert own.html.startswith('<p class="title" style="margin:')
    assert "WHO SITS WHERE" in own.text

    for wrong in ("{{ nothing }}", "{% if %}", "{{ ''.__class__.__mro__ }}", "{{ 1 // 0 }}"):
        (folder / "subject.txt").write_text(wrong)
        with caplog.at_level(logging.ERROR):
            caplog.clear()
            assert render(session, site, row).subject == "Ark, Sunday club: the game begins"
        assert "template" in caplog.text
    assert table.game.status == "running"


def test_letters_are_the_same_in_the_sandbox(session: Session, site: Site) -> None:
    """An installation with a folder for its own templates runs the built-in ones in it, too."""
    stage.Stage(session, site, 3, "both").begin().until(lambda position: False)
    rows = {row.kind: row for row in session.exec(select(Letter).order_by(col(Letter.id)))}
    assert {"begins", "your-turn", "choose-pet", "over"} <= set(rows)
    plain = {kind: render(session, site, row) for kind, row in rows.items()}
    (site.settings.instance / "mail_templates").mkdir(parents=True)
    assert isinstance(
        templates.own(site.settings.instance / "mail_templates"), SandboxedEnvironment
    )
    assert {kind: render(session, site, row) for kind, row in rows.items()} == plain


def test_a_full_ark_stays_below_the_size_at_which_mails_are_cut(
    session: Session, site: Site
) -> None:
    """As long an ark as the rules allow fifty-one cards to make."""
    table = Stage(session, site, 5, "long").begin()
    table.until(lambda position: False, _spreading)
    rows = session.exec(select(Letter).order_by(col(Letter.id).desc()).limit(12)).all()
    longest = max(len(render(session, site, row).html.encode()) for row in rows)
    cabins = view(table.position, None).ark
    assert max(map(len, cabins.values())) >= 12
    assert longest < 90_000


def _spreading(position: stage.Position, seat: int, chance: stage.Generator) -> Move:
    """Opens a cabin wherever it can."""
    moves = view(position, seat).legal()
    opening = [m for m in moves if any(p.take for p in getattr(m, "plays", ()))]
    return (opening or list(moves))[chance.below(len(opening or moves))]


def test_templates_are_complete_triples() -> None:
    folder = Path(__file__).parents[2] / "mail_templates"
    for kind in folder.iterdir():
        if kind.is_dir() and kind.name != "_base":
            names = {path.name for path in kind.iterdir()}
            assert names == {"subject.txt", "body.txt", "body.html"}, kind.name


def test_owners_are_told_once_of_a_template_that_fails(session: Session, site: Site) -> None:
    table = Stage(session, site, 3, "own").begin()
    owner = id_of(table.people[0])
    session.add(Role(person_id=owner, kind="owner", granted_at=table.now))
    row = session.exec(select(Letter).where(Letter.kind == "begins")).all()[0]
    folder = site.settings.instance / "mail_templates" / "begins"
    folder.mkdir(parents=True)
    (folder / "subject.txt").write_text("{{ nothing }}")
    render(session, site, row)
    render(session, site, row)
    [(kind, why)] = broken.take(site.settings.instance)
    assert (kind, "nothing" in why) == ("begins", True)
    assert broken.take(site.settings.instance) == []
    for hours in (0, 1, 24):
        now = table.now + timedelta(hours=hours)
        announce.template_failed(session, site, now, kind, why)
    letters = session.exec(select(Letter).where(Letter.kind == "alert")).all()
    assert [letter.person_id for letter in letters] == [owner, owner]
    text = render(session, site, letters[0]).text
    assert "mail_templates/begins" in text
    assert "UndefinedError" in text
