"""`replay-all`: every game that was ever played here, by the rules of today."""

from engine.record import read, replay
from pbem.archive.verifying import replay_all
from pbem.installation import Installation
from tests.archive.games import RECORDS, brought_in, record_lines
from tests.web.harbour import RUNNING, build


def test_the_records_that_are_kept_still_hold() -> None:
    for file in sorted(RECORDS.glob("*.ark.json")):
        for record in read(file.read_text(encoding="utf-8")):
            replay(record)
    for line in record_lines():
        assert replay(read(line)[0]).finished


def test_games_of_a_database_are_replayed_finished_or_not(installation: Installation) -> None:
    build(installation)
    brought_in(installation, record_lines()[0])
    found = list(replay_all(installation.store))
    assert [(one.game_id, one.status, one.fault) for one in found] == [
        (1, "over", None), (2, "running", None), (4, "over", None),
    ]  # fmt: skip
    assert all(one.turns for one in found)


def _spoilt(installation: Installation, statement: str) -> str:
    with installation.store.work() as session:
        session.connection().exec_driver_sql(statement)
    [fault] = [one.fault for one in replay_all(installation.store) if one.game_id == 1]
    assert fault is not None
    return fault


def test_the_first_divergence_is_named(installation: Installation) -> None:
    brought_in(installation, record_lines()[0])
    pass_first = '{"type": "pass"}'
    fault = _spoilt(installation, f"UPDATE event SET move = '{pass_first}' WHERE seq = 6")
    assert fault.startswith("turn 5: ")
    assert "R4.1" in fault


def test_other_happenings_of_the_same_moves_are_a_divergence(installation: Installation) -> None:
    brought_in(installation, record_lines()[0])
    fault = _spoilt(installation, "UPDATE event SET happenings = '[]' WHERE seq = 9")
    assert fault == "turn 8: what happened is not what was stored"


def test_a_position_that_was_changed_is_found(installation: Installation) -> None:
    brought_in(installation, record_lines()[0])
    change = """UPDATE game SET position = replace(position, '"rain":5', '"rain":4')"""
    assert "another rain than was stored" in _spoilt(installation, change)


def test_what_cannot_be_read_is_a_fault_and_no_traceback(installation: Installation) -> None:
    brought_in(installation, record_lines()[0])
    assert "cannot be read" in _spoilt(installation, "UPDATE game SET position = '{}'")


def test_other_rules_are_no_rules_of_ours(installation: Installation) -> None:
    brought_in(installation, record_lines()[0])
    assert "ark-0" in _spoilt(installation, "UPDATE game SET rules = 'ark-0'")


def test_running_games_are_asked_for_legal_moves(installation: Installation) -> None:
    build(installation)
    with installation.store.work() as session:
        session.connection().exec_driver_sql("UPDATE game SET status = 'running' WHERE id = 1")
    verdicts = {one.game_id: one.fault for one in replay_all(installation.store)}
    assert verdicts[RUNNING] is None
