"""What a moderator can do: one registry of actions, each shown before it is done, done once,
and written down with who, what and why.

`prepare` shows an action and gives a key, `carry_out` does it with that key; `offered` lists
what somebody can do at a place.
"""

from pbem.moderation.model import Action, Case, Change, Effect, FollowUp, Parameter, Refused, Target
from pbem.moderation.outcome import Outcome
from pbem.moderation.registry import ACTIONS, FAMILIES, Offer, offered
from pbem.moderation.running import carry_out, outcome_of, prepare

__all__ = [
    "ACTIONS",
    "FAMILIES",
    "Action",
    "Case",
    "Change",
    "Effect",
    "FollowUp",
    "Offer",
    "Outcome",
    "Parameter",
    "Refused",
    "Target",
    "carry_out",
    "offered",
    "outcome_of",
    "prepare",
]
