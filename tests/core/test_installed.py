"""Entry points are those that `importlib.metadata` finds, wherever they are."""

import json
import sys
import zipfile
from importlib.metadata import entry_points

import pytest

from corels.installed import announced, install_command

ENTRIES = "[other]\ncorels = no\n\n[ corels ]\nno = no\n[corels]\n# a = b\nmine = json:dumps [x]\n"
ABOUT = "Metadata-Version: 2.1\nname: my-plugin\nVersion: 1.5\n\nName: theirs\n"


def places(folder):
    """The same distribution in a folder, as pip and as setuptools write it, and in an archive."""
    for kind, name in (("dist-info", "METADATA"), ("egg-info", "PKG-INFO")):
        inside = folder / kind / f"my_plugin-1.5.{kind}"
        inside.mkdir(parents=True)
        (inside / "entry_points.txt").write_text(ENTRIES, encoding="utf-8")
        (inside / name).write_text(ABOUT, encoding="utf-8")
        yield folder / kind
    archive = folder / "all.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for file in (folder / "dist-info").glob("*/*"):
            packed.write(file, file.relative_to(folder / "dist-info").as_posix())
    yield archive


def test_ours_are_those_of_the_standard_library():
    found = {(one.name, one.value) for one in announced("console_scripts")}
    assert found == {(one.name, one.value) for one in entry_points(group="console_scripts")}
    assert {one.name for one in announced("corels") if one.distribution == "corels"} >= {
        "c",
        "page",
    }


@pytest.mark.parametrize("number", range(3))
def test_wherever_it_lies(number, tmp_path, monkeypatch):
    place = list(places(tmp_path))[number]
    monkeypatch.setattr(sys, "path", [str(tmp_path / "gone"), str(place), str(place)])
    (one,) = announced("corels")
    assert one == ("mine", "json:dumps [x]", "my-plugin", "1.5")
    assert one.load()([]) == "[]"


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
