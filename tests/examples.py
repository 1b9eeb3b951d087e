"""How many examples a property is tried with, and which.

They are the same in every run: no change is refused for what another one did.
`ARK_THOROUGH=20` tries twenty times as many, and others every time; `make fuzz` does.
"""

import os

from hypothesis import HealthCheck, settings

THOROUGH = int(os.environ.get("ARK_THOROUGH", "1"))
PROFILE = "ark"
UNMINDED = (HealthCheck.too_slow, HealthCheck.data_too_large)


def examples(count: int, *unminded: HealthCheck) -> settings:
    """For a property with more or fewer examples than most: what one of them costs differs.

    No deadline: on a machine that is busy with other tests it would fail by chance.
    """
    return settings(
        max_examples=count * THOROUGH,
        derandomize=THOROUGH == 1,
        deadline=None,
        suppress_health_check=[*UNMINDED, *unminded],
    )


GAMES = examples(8)
"""For a property whose examples are whole games."""


def choose() -> None:
    """The settings of every property that is defined from now on, in this process."""
    settings.register_profile(PROFILE, examples(25))
    settings.load_profile(PROFILE)
