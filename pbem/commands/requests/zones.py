"""Time zones as players write them (commands.md 4): IANA names, cities, `UTC+8`.

Abbreviations such as CST mean different zones to different people and are asked back.
"""

from functools import cache
from zoneinfo import available_timezones

from pbem.commands.normalise import fold
from pbem.commands.vocabulary import TONGUES
from pbem.timing.zones import OFFSET

_MOST_HOURS = 14
#: Regions whose last part is no city.
_NO_CITIES = ("Etc", "US", "Canada", "Mexico", "Brazil", "Chile", "SystemV")

_ABBREVIATIONS = {
    "act": "Australia/Sydney America/Rio_Branco",
    "aedt": "Australia/Sydney",
    "aest": "Australia/Sydney Australia/Brisbane",
    "akst": "America/Anchorage",
    "ast": "America/Halifax Asia/Riyadh",
    "awst": "Australia/Perth",
    "brt": "America/Sao_Paulo",
    "bst": "Europe/London Asia/Dhaka",
    "cdt": "America/Chicago America/Havana",
    "cest": "Europe/Berlin Europe/Paris",
    "cet": "Europe/Berlin Europe/Paris",
    "cst": "Asia/Shanghai Asia/Taipei America/Chicago",
    "edt": "America/New_York",
    "eest": "Europe/Athens Europe/Helsinki",
    "eet": "Europe/Athens Europe/Helsinki",
    "est": "America/New_York America/Panama",
    "gst": "Asia/Dubai",
    "hkt": "Asia/Hong_Kong",
    "hst": "Pacific/Honolulu",
    "ict": "Asia/Bangkok",
    "idt": "Asia/Jerusalem",
    "ist": "Asia/Kolkata Europe/Dublin Asia/Jerusalem",
    "jst": "Asia/Tokyo",
    "kst": "Asia/Seoul",
    "mdt": "America/Denver",
    "mez": "Europe/Berlin Europe/Vienna",
    "mesz": "Europe/Berlin Europe/Vienna",
    "met": "Europe/Berlin Europe/Paris",
    "msk": "Europe/Moscow",
    "mst": "America/Denver America/Phoenix Asia/Kuala_Lumpur",
    "nzdt": "Pacific/Auckland",
    "nzst": "Pacific/Auckland",
    "pdt": "America/Los_Angeles",
    "pht": "Asia/Manila",
    "pkt": "Asia/Karachi",
    "pst": "America/Los_Angeles Asia/Manila",
    "sgt": "Asia/Singapore",
    "sst": "Asia/Singapore Pacific/Pago_Pago",
    "wet": "Europe/Lisbon",
    "west": "Europe/Lisbon",
    "wib": "Asia/Jakarta",
}


def find_zones(text: str) -> list[str]:
    """Every zone the text may mean; [] when it is none.

    One zone is certain. Abbreviations give a list even where only one is known: an empty second
    element marks that it has to be asked.
    """
    folded = fold(text)
    if folded in _ABBREVIATIONS:
        return [*_ABBREVIATIONS[folded].split(), ""]
    if offset := OFFSET.fullmatch(folded):
        return _offset_zone(*offset.groups())
    found = _places().get(folded.replace("_", " "))
    return [found] if found else []


def _offset_zone(sign: str | None, hours: str | None, minutes: str | None) -> list[str]:
    if not sign or not hours:
        return ["UTC"]
    if int(hours) > _MOST_HOURS or int(minutes or 0) not in (0, 15, 30, 45):
        return []
    if int(hours) == 0 and not int(minutes or 0):
        return ["UTC"]
    return [f"UTC{sign}{int(hours)}" + (f":{minutes}" if int(minutes or 0) else "")]


@cache
def _places() -> dict[str, str]:
    """Folded names and cities to zones."""
    places: dict[str, str] = {}
    names = sorted(available_timezones())
    for name in names:
        region, _, rest = name.partition("/")
        if rest and region not in _NO_CITIES:
            city = rest.rpartition("/")[2]
            places.setdefault(fold(city.replace("_", " ")), name)
    for tongue in TONGUES:
        for zone, cities in tongue.cities.items():
            for city in cities.replace("|", ",").split(","):
                places[fold(city)] = zone
    for name in names:
        places[fold(name.replace("_", " "))] = name
    return places
