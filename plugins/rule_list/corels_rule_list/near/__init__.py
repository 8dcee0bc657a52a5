"""All good lists: every rule list within a tolerance of the optimum, counted, found, summed up."""

from corels.search.good_lists import NearEngine, NearInstance, Wanted, near_instance
from corels_rule_list.near.result import NearList, NearOptimal, Usage
from corels_rule_list.near.run import near

__all__ = [
    "NearEngine", "NearInstance", "NearList", "NearOptimal", "Usage", "Wanted", "near",
    "near_instance",
]  # fmt: skip
