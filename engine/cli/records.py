"""``replay``, ``show`` and ``verify``: what is in a file of records."""

import argparse
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from engine.cli import one_line, wrong_call
from engine.proof import verify
from engine.record import NotARecord, Record, RecordError, replay, scan, start, walk
from engine.scoring import score
from engine.show import show
from engine.view import view


def run(options: argparse.Namespace) -> int:
    """Run one of the three commands on the file."""
    command = {"replay": _replay, "show": _show, "verify": _verify}[options.command]
    return command(options)


def _records(file: str) -> Iterator[tuple[int, Record]]:
    """The records of a file, counted from 1.  Raises `RecordError`."""
    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise NotARecord(f"this file cannot be read: {error.strerror}") from None
    except ValueError:  # no UTF-8, or no name a file can have
        raise NotARecord("this is no record: it is not UTF-8 text") from None
    yield from enumerate(scan(text), 1)


def _fault(options: argparse.Namespace, game: int, error: RecordError) -> int:
    where = options.file if game == 1 and isinstance(error, NotARecord) else f"game {game}"
    print(one_line(f"{where}: {error}"))
    return 1


def _replay(options: argparse.Namespace) -> int:
    game = 0
    records = _records(options.file)
    try:
        while True:
            game += 1
            entry = next(records, None)
            if entry is None:
                return 0
            print(one_line(f"game {game}: {_summary(entry[1])}"))
    except RecordError as error:
        return _fault(options, game, error)


def _summary(record: Record) -> str:
    position = replay(record).position
    said = f"{record.players} players, {len(record.turns)} turns"
    if position.phase == "over":
        result = score(position)
        winners = ", ".join(_seat(record, seat) for seat in result.winners)
        return f"{said}, won by {winners} ({' '.join(map(str, result.totals))})"
    state = "ended early" if record.ended else "not over"
    return f"{said}, {state} (phase {position.phase})"


def _seat(record: Record, seat: int) -> str:
    return f"seat {seat}" if record.names is None else f"seat {seat} {record.names[seat]}"


def _show(options: argparse.Namespace) -> int:
    if options.game < 1:
        return wrong_call("--game counts from 1")
    try:
        entry = next(islice(_records(options.file), options.game - 1, None), None)
        if entry is None:
            return wrong_call(f"there is no game {options.game} in this file")
        record = entry[1]
        turns = len(record.turns) if options.turn is None else options.turn
        if not 0 <= turns <= len(record.turns):
            return wrong_call(f"--turn is 0 to {len(record.turns)} in this game")
        if options.seat is not None and not 0 <= options.seat < record.players:
            return wrong_call(f"--seat is 0 to {record.players - 1} in this game")
        position = start(record)
        for _, _, after in islice(walk(record), turns):
            position = after
    except RecordError as error:
        return _fault(options, options.game, error)
    print(show(view(position, options.seat)))
    return 0


def _verify(options: argparse.Namespace) -> int:
    status = game = 0
    try:
        for game, record in _records(options.file):
            faults = verify(record)
            for fault in faults:
                print(one_line(f"game {game}: {fault}"))
                status = 1
            if not faults:
                print(f"game {game}: the deal is the one that was committed to")
    except RecordError as error:
        return _fault(options, game + 1, error)
    return status
