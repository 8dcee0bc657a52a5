"""The memory that a search may hold if nobody says."""

import pytest

from corels.run import limits as memory


@pytest.fixture(autouse=True)
def fresh():
    memory.default_memory.cache_clear()
    yield
    memory.default_memory.cache_clear()


@pytest.mark.parametrize(("says", "half"), [("1000000\n", 500_000), ("max\n", None)])
def test_a_container_has_what_it_is_given(tmp_path, monkeypatch, says, half):
    (tmp_path / "memory.max").write_text(says)
    monkeypatch.setattr(memory, "CONTAINER", tmp_path / "absent")
    machine = memory.default_memory()
    memory.default_memory.cache_clear()
    monkeypatch.setattr(memory, "CONTAINER", tmp_path / "memory.max")
    assert memory.default_memory() == (half or machine)


def test_a_system_that_does_not_say(monkeypatch):
    monkeypatch.delattr("os.sysconf")
    assert memory.default_memory() is None
