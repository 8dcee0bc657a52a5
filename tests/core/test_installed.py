"""How a missing optional package is named."""

import json

import pytest

from corels.installed import install_command


@pytest.mark.parametrize(
    "source, command",
    [
        (None, "pip install 'corels[plot]'"),
        ({"url": "https://host/corels.whl", "archive_info": {}}, "pip install 'corels[plot]'"),
        ({"url": "file:///my%20code", "dir_info": {}}, "pip install '/my code[plot]'"),
        ({"url": "file:///code", "dir_info": {"editable": True}}, "pip install -e '/code[plot]'"),
    ],
)
def test_an_extra_is_installed_from_where_corels_came(monkeypatch, source, command):
    class Distribution:
        def read_text(self, name):
            assert name == "direct_url.json"
            return None if source is None else json.dumps(source)

    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Distribution())
    assert install_command("plot") == command
