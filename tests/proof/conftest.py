"""What several tests of proofs use."""

import corels_c.parts
import pytest


@pytest.fixture
def early_blocks(monkeypatch):
    """Blocks and prices are built at once, so that small problems have some."""
    monkeypatch.setattr(corels_c.parts, "STAGES", {"blocks": (0, 3, 6), "prices": (0, 2, 5)})
