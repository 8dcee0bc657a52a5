"""A model and its certificate as HTML tables, for notebooks, and nothing foreign unescaped."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import corels
from corels.export.words import to_html
from corels.tables import load


@pytest.fixture(scope="module")
def result():
    return corels.solve(corels.Problem.from_dataset(load("titanic"), "0.005"))


class Tags(HTMLParser):
    """Every tag must be closed; the text is kept."""

    VOID = ("meta", "br")

    def __init__(self):
        super().__init__()
        self.open, self.text, self.seen = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def parsed(text):
    tags = Tags()
    tags.feed(text)
    tags.close()
    assert tags.open == []
    return tags


def test_foreign_text_is_escaped(result):
    from dataclasses import replace

    model = replace(result.model, label_name="<script>alert(1)</script>")
    certificate = replace(result.certificate, parts={"policy": "<b>\x1b"})
    tags = parsed(to_html(model) + certificate._repr_html_())
    assert "script" not in tags.seen
    assert "<b>" not in certificate._repr_html_()


def test_results_and_certificates_read_as_on_the_command_line(result):
    assert str(result).startswith("if class = 3rd")
    assert "Certified optimal: no rule list is better" in str(result)
    assert str(result.certificate).startswith("Certified optimal: no rule-list model is better")
    for line in str(result.certificate).splitlines():
        assert len(line) <= 80
    for shown in (result, result.certificate):
        parsed(shown._repr_html_())
