"""The model card: what the page has, as Markdown, for a repository or for the papers of a system.

The sections are those of Mitchell and others ("Model Cards for Model Reporting", 2019); behind each
stand the numbers of Annex IV of the EU's AI Act that it helps to answer. The front matter is that
of Hugging Face. What no program can know is in the description; what was not said is
`not stated`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from corels.export.words import markdown, markdown_table, table_of
from corels.model import Certificate, Model
from corels.model.certificate_text import demanded_text, directions_text
from corels.model.weighing import Behind, amount, in_unit, kind_of
from corels.tables.dates import source_of
from corels.tables.descriptions import Descriptions
from corels_page.document import Further, page_document, visible
from corels_page.words import asked_columns

NOT_STATED = "not stated"
NOT_ANSWERED = "1(d) to 1(h), 2(h), 8"  # numbers of Annex IV
TASK = "tabular-classification"
Lines = Iterator[str]


def card(
    model: Model,
    certificate: Certificate | None,
    further: Further,
    found: Mapping[str, Any],
    *,
    monitored: Mapping[str, Any] | None = None,
    digest: str = "",
) -> str:
    """The card of a model.

    further: what the page would have. found: the document of the model's file. monitored: the
    report of `corels monitor --json`. digest: the hash of the file.
    """
    made = _Card(model, certificate, further, found, monitored, digest)
    return "\n".join([*made.front_matter(), "", *made.body()]) + "\n"


@dataclass
class _Card:
    model: Model
    certificate: Certificate | None
    further: Further
    found: Mapping[str, Any]
    monitored: Mapping[str, Any] | None
    digest: str

    def __post_init__(self) -> None:
        self.page = page_document(self.model, self.certificate, self.further)
        self.data: Mapping[str, Any] = self.found.get("data", {})
        self.said = self.further.description or Descriptions()
        self.gaps: list[str] = []

    # --- front matter -----------------------------------------------------------------------------

    def front_matter(self) -> Lines:
        """As YAML: each entry is JSON, which YAML reads."""
        results = [
            {
                "task": {"type": TASK},
                "dataset": {"name": name, "type": "tabular"},
                "metrics": [{"type": n, "value": round(v, 6)} for n, v in metrics.items()],
            }
            for name, metrics in self._metrics().items()
            if metrics
        ]
        entries = {
            "library_name": "corels",
            "pipeline_tag": TASK,
            **({"license": self.said.license} if self.said.license else {}),
            "tags": ["corels", self.model.family, "interpretable"],
            "model-index": [{"name": self.page["title"], "results": results}],
        }
        yield "---"
        for name, entry in visible(entries).items():
            yield f"{name}: {json.dumps(entry, ensure_ascii=False)}"
        yield "---"

    def _metrics(self) -> dict[str, dict[str, float]]:
        """Of the training rows, and of those that took no part."""
        training = f"{self.data.get('name') or 'training'} (training)"
        found = {training: self._shares(Behind.of(self.model, {}))}
        if held := self.found.get("held_out"):
            found[f"{held['name']} (held out)"] = self._shares(Behind.of(self.model, self.found))
        return found

    def _shares(self, behind: Behind) -> dict[str, float]:
        """Accuracy of the rows that are decided, and of two classes recall, precision and f1 of the
        second; what is a share of nothing is left out, and all if some rows are handed over or
        treated: what becomes of them, counts do not say."""
        kinds = [kind_of(self.model, one) for one in self.model.deciders()]
        if {"defer", "action"} & set(kinds):
            return {}
        said = [one.outcome for one in self.model.deciders()]
        every = zip(behind.counts, said, behind.weights, strict=True)
        judged = [one for one, kind in zip(every, kinds, strict=True) if kind == "class"]
        of = sum(weight for *_, weight in judged)
        shares = {"accuracy": (sum(own[out] for own, out, _ in judged), of)}
        if len(self.model.classes) == 2:
            right = sum(own[1] for own, out, _ in judged if out == 1)
            called = sum(weight for _, out, weight in judged if out == 1)
            positive = sum(own[1] for own in behind.counts)
            shares["recall"], shares["precision"] = (right, positive), (right, called)
            shares["f1"] = (2 * right, called + positive)
        return {name: float(Fraction(part, all_)) for name, (part, all_) in shares.items() if all_}

    # --- sections ---------------------------------------------------------------------------------

    def body(self) -> Lines:
        yield f"# {markdown(self.page['title'])}"
        sections = (
            ("Model details", "1, 2(b), 2(c)", self._details),
            ("Intended use", "1(a), 3", self._use),
            ("Factors", "3", self._factors),
            ("Metrics", "4", self._metric_words),
            ("Training data", "2(d)", self._training),
            ("Evaluation data and quantitative analyses", "2(g), 4", self._evaluation),
            ("Caveats", "3", self._caveats),
            ("Design choices", "2(b)", self._choices),
            ("Oversight and monitoring", "2(e), 9", self._oversight),
            ("Risks, changes, standards", "5, 6, 7", self._risks),
        )
        for title, numbers, lines in sections:
            yield from ("", f"## {title}", "", f"*AI Act, Annex IV: {numbers}*", "")
            yield from lines()
        yield from ("", "## What this card does not say", "")
        gaps = ", ".join(self.gaps) or "nothing"
        yield f"- {NOT_STATED}: {gaps}"
        yield f"- of Annex IV it does not answer {NOT_ANSWERED}; it is no declaration of conformity"

    def _stated(self, *fields: str) -> Lines:
        """Entries of the description; a gap for each that was not said."""
        for field in fields:
            text, name = str(getattr(self.said, field)), field.replace("_", " ")
            if not text:
                self.gaps.append(field)
            yield f"- {name.removeprefix('data ')}: {markdown(text) or NOT_STATED}"

    def _details(self) -> Lines:
        yield markdown_table(table_of(self.model))
        yield ""
        yield f"- Family: {self.model.family}; it predicts {markdown(self.model.label_name)}"
        yield from self._stated("version", "owner", "contact", "license", "author", "date")
        if self.certificate is not None:
            versions = ", ".join(f"{n} {v}" for n, v in self.certificate.versions.items())
            yield f"- Learned with: {markdown(versions)}; solver {self.certificate.solver}"
        options = self.data.get("options") or {}
        if options:
            listed = ", ".join(f"{name} {value}" for name, value in options.items())
            yield f"- Options of the search: {markdown(listed)}"
        if self.certificate is not None and self.certificate.data_hash:
            yield f"- SHA-256 of the training rows: {self.certificate.data_hash}"
        if self.digest:
            yield f"- SHA-256 of the model file: {self.digest}"
        yield from (f"- {markdown(n)}: {markdown(t)}" for n, t in self.page["about_rows"])

    def _use(self) -> Lines:
        if self.said.about:
            yield markdown(self.said.about)
        yield from self._stated("intended_use", "not_for")

    def _factors(self) -> Lines:
        for name in asked_columns(self.model):
            one = self.said.column(source_of(name))
            parts = [one.about, one.unit and f"in {one.unit}"]
            parts += [f"{code}: {words}" for code, words in one.code_words.items()]
            parts += [f"direction {one.direction}" if one.direction else ""]
            parts += [f"can be changed: {one.change}" if one.change else ""]
            called = f" ({markdown(one.name)})" if one.name else ""
            listed = "; ".join(markdown(str(part)) for part in parts if part)
            yield f"- column {markdown(name)}{called}{f': {listed}' if listed else ''}"
        if (groups := self.page.get("groups")) is not None:
            yield from ("", f"By {markdown(groups['column'])}:", "")
            rows = zip(groups["names"], groups["totals"], strict=True)
            shown = partial(in_unit, unit=Fraction(groups.get("unit", 1)))
            cells = ([name, shown(one["rows"]), shown(one["errors"])] for name, one in rows)
            head = ["group", "weight" if "unit" in groups else "rows", "errors"]
            yield markdown_table([head, *cells])

    def _metric_words(self) -> Lines:
        if self.certificate is None:
            yield "- The file has no certificate."
            return
        proved = self.page["certificate"]
        yield f"- {markdown(proved['proved'])}"
        yield from (f"- {markdown(one)}" for one in demanded_text(self.certificate.constraints))
        if price := proved.get("price"):
            yield f"- {markdown(price)}"
        deciders = self.model.deciders()
        if not any(one.stated is not None or one.quantity == "points" for one in deciders):
            yield "- Conditions decide: there is no score, and so no threshold."

    def _training(self) -> Lines:
        yield from self._stated("data_origin")
        rows, weight = self.data.get("rows"), self.model.training_weight
        yield f"- {markdown(str(self.data.get('name') or 'rows'))}: {rows or weight} rows"
        if rows not in (None, weight):
            yield f"- weight: {amount(self.model, weight)}"
        counts = [sum(own) for own in zip(*(d.counts for d in self.model.deciders()), strict=True)]
        named = zip(self.model.classes, counts, strict=True)
        yield "- classes: " + ", ".join(
            f"{markdown(str(name))} {amount(self.model, count)}" for name, count in named
        )
        yield f"- antecedents: {self.data.get('antecedents', NOT_STATED)}"
        if unused := self.data.get("unused"):
            yield f"- unused columns: {markdown(', '.join(unused))}"

    def _evaluation(self) -> Lines:
        behind = Behind.of(self.model, self.found)
        rows = [["rule", "says", f"right, of {behind.what}", ".95 interval"]]
        shown = partial(in_unit, unit=behind.unit)
        for number, (own, one) in enumerate(zip(behind.counts, self.model.deciders(), strict=True)):
            ends, of = behind.interval(number), shown(behind.weights[number])
            share = of if ends is None else f"{shown(own[one.outcome])} of {of}"
            interval = "" if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"
            rows.append([str(number + 1), str(self.model.says[one.outcome]), share, interval])
        yield markdown_table(rows)
        if behind.name == "training":
            yield ""
            yield "The rules were chosen on these rows: the intervals are too narrow."
        if (held := self.page.get("held_out")) is None:
            self.gaps.append("held-out rows")
            return
        yield from ("", f"{held['what']}:", "")
        yield markdown_table([["rows", "this model", "always the same"], *held["rows"]])

    def _caveats(self) -> Lines:
        if self.certificate is not None and not self.certificate.optimal:
            gap = float(self.certificate.gap)
            yield f"- Not certified: a model may cost up to {gap:.6g} less."
        yield "- A certificate is about the training rows and these conditions, not about new rows."
        yield from (f"- {markdown(remark)}" for remark in self.model.remarks())
        if (near := self.page.get("near")) is not None:
            yield f"- {len(near['lists'])} rule lists are about as good as this one."

    def _choices(self) -> Lines:
        if self.certificate is not None:
            yield f"- {markdown(self.page['certificate']['verdict'])}"
            if directions := directions_text(self.certificate.statement):
                yield f"- directions: {markdown(directions)}"
        if (path := self.page.get("path")) is None:
            self.gaps.append("price of simplicity")
            return
        yield from ("", "The price of simplicity:", "")
        cells = ([f"{one['low']:.6g}", str(one["length"]), str(one["errors"])] for one in path)
        yield markdown_table([["lambda from", "rules", "errors"], *cells])

    def _oversight(self) -> Lines:
        yield from self._stated("oversight")
        if self.page.get("certificate", {}).get("check"):
            yield f"- count it again: `{self.page['certificate']['check']}`"
        if self.monitored is None:
            self.gaps.append("monitoring")
            return
        whole = self.monitored["windows"][0]
        differs = "something differs" if self.monitored["differs"] else "nothing differs"
        yield (
            f"- monitored on {whole['rows']} rows of {markdown(self.monitored['table'])}, against "
            f"{markdown(self.monitored['before'])}: {differs} more than chance allows (level "
            f"{self.monitored['level']:g}); PSI {whole['psi']:.4f}, by chance up to "
            f"{whole['by_chance']:.4f}"
        )

    def _risks(self) -> Lines:
        return self._stated("risks", "changes")
