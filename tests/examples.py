"""How many random examples a property is tried with.

`ARK_THOROUGH=20` tries twenty times as many; `make fuzz` does.
"""

import os

from hypothesis import HealthCheck, settings

THOROUGH = int(os.environ.get("ARK_THOROUGH", "1"))
PROFILE = "ark"
UNMINDED = (HealthCheck.too_slow, HealthCheck.data_too_large)


def examples(count: int, *unminded: HealthCheck) -> settings:
    """For a property with more or fewer examples than most: what one of them costs differs."""
    return settings(
        max_examples=count * THOROUGH,
        deadline=None,
        suppress_health_check=[*UNMINDED, *unminded],
    )


GAMES = examples(8)
"""For a property whose examples are whole games."""


def choose() -> None:
    """The settings of every property that is defined from now on, in this process.

    No deadline: on a machine that is busy with other tests it would fail by chance.
    """
    settings.register_profile(
        PROFILE,
        deadline=None,
        max_examples=25 * THOROUGH,
        suppress_health_check=UNMINDED,
    )
    settings.load_profile(PROFILE)
