"""What was learned, and what was proved about it: models, certificates, and their documents."""

from corels.model.certificate import Certificate, Stopped
from corels.model.decider import Clause, Decider
from corels.model.model import Model

__all__ = ["Certificate", "Clause", "Decider", "Model", "Stopped"]
