"""All good lists: every rule list within a tolerance of the optimum, counted, found, summed up."""

from corels.near_optimal.engine import NearEngine, NearInstance, Wanted, near_instance
from corels.near_optimal.result import NearList, NearOptimal, Usage
from corels.near_optimal.run import near

__all__ = [
    "NearEngine",
    "NearInstance",
    "NearList",
    "NearOptimal",
    "Usage",
    "Wanted",
    "near",
    "near_instance",
]
