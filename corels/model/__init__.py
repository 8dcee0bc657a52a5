"""What was learned, and what was proved about it: models, certificates, and their documents."""

from corels.model.certificate import Certificate, Stopped
from corels.model.model import Model
from corels.model.rule import Rule
from corels.model.rulelist import RuleList

__all__ = ["Certificate", "Model", "Rule", "RuleList", "Stopped"]
