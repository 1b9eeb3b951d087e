"""Lengths of time: `48h`, `2 days`, `90 Minuten`, `3天`; in seconds."""

import re

_UNITS = {
    60: "m min mins minute minutes minuten 分 分鐘 分钟",
    3_600: "h hr hrs hour hours std stunde stunden 小時 小时",
    86_400: "d day days tag tage tagen 天 日",
    604_800: "w week weeks woche wochen 週 周",
}
_SECONDS = {unit: seconds for seconds, units in _UNITS.items() for unit in units.split()}
_DURATION = re.compile(r"([0-9]{1,5}) ?([^\W\d_]+)\.?")
_HOUR = 3_600


def read_duration(folded: str) -> int | None:
    """Seconds, or None when the folded text is no length of time."""
    found = _DURATION.fullmatch(folded.strip())
    if not found or found[2] not in _SECONDS:
        return None
    return int(found[1]) * _SECONDS[found[2]] or None


def print_duration(seconds: int) -> str:
    """Whole hours as `48h`, else minutes."""
    if seconds % _HOUR == 0:
        return f"{seconds // _HOUR}h"
    return f"{seconds // 60}m"
