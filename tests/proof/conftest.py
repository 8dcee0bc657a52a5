"""What several tests of proofs use."""

import corels_c.parts
import pytest


@pytest.fixture
def early_tables(monkeypatch):
    """Prices are built at once, so that small problems have some."""
    monkeypatch.setattr(corels_c.parts, "STAGES", {"prices": (0, 2, 5)})
