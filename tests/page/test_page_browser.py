"""The report in a real browser: every part used once, nothing fetched, nothing complained about."""

import json
from itertools import product

import pytest
from corels_page import Further, report
from corels_page.history import history, points, steps
from corels_page.others import near_lists, path_lists
from corels_rule_list.commands.near_files import json_lines
from corels_rule_list.near.group_rates import GroupRates
from corels_rule_list.path.path import regularization_path
from page_samples import (
    certificate,
    complaints,
    faults,
    hostile_list,
    many_near,
    misfits,
    requests,
    with_predictions,
)

import corels
from corels.problem import Problem
from corels.run.trace import TraceSink, read_trace
from corels.tables import load, load_columns

pytest.importorskip("jinja2", reason="the extra `page` is not installed")


pytestmark = pytest.mark.outside


@pytest.fixture
def browser(chromium):
    return chromium


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A page with every part."""
    place = tmp_path_factory.mktemp("page")
    problem = Problem.from_dataset(load("titanic"), "0.005")
    coarse, fine = place / "c.jsonl", place / "f.jsonl"
    result = corels.solve(problem, sinks=[TraceSink(coarse, problem)])
    sink = TraceSink(fine, problem, level="fine")
    corels.solve(problem, sinks=[sink], search="best-first", start="none")
    traced = read_trace(fine)
    further = Further(
        data={"name": "titanic"},
        check="corels check m.json --dataset titanic",
        history=history(read_trace(coarse)),
        steps=steps(traced, points(traced.header["antecedents"], load("titanic"))),
        near=near_lists(with_predictions(many_near())),
        path=path_lists(regularization_path(problem, "0.005").to_document()),
        claims=[("sex = Male", 0.21, "counted"), ("age = Adult", 0.3, "claim")],
    )
    file = place / "r.html"
    report(result.model, result.certificate, further).save(file)
    return file


@pytest.fixture(scope="module")
def near_rates(tmp_path_factory):
    """All lists near the best one of titanic with their rates by sex: the document and its page."""
    data = load("titanic")
    problem = Problem.from_dataset(data, "0.02")
    rates = GroupRates(problem, data, list(load_columns("titanic")[0]["sex"].cells()), "yes")
    with corels.near(problem, within="0.02") as found:
        texts = list(json_lines(found.lists(), rates))
    document = near_lists(json.loads(line) for text in texts for line in text.splitlines())
    file = tmp_path_factory.mktemp("near") / "n.html"
    report(corels.solve(problem).model, None, Further(near=document)).save(file)
    return document, file


@pytest.fixture
def opened(browser, whole):
    complaints(browser), requests(browser)
    browser.get(whole.as_uri())
    yield browser
    assert complaints(browser) == []
    assert set(requests(browser)) <= {whole.as_uri()}


def text(browser, name):
    return browser.find_element("id", name).text


def type_into(browser, name, value):
    field = browser.find_element("id", name)
    field.clear()
    field.send_keys(value)


def choose(browser, name, value):
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("id", name)).select_by_visible_text(value)


def test_my_case_lights_up_the_rule_that_decides(opened):
    fields = opened.find_elements("css selector", "#case-form select")
    assert fields
    for field in fields:
        last = field.find_elements("tag name", "option")[-1].text
        assert last.startswith("not ") or last in ("something else", "Male", "Child")
        choose(opened, field.get_attribute("id"), last)
    assert "the last line decides" in text(opened, "case-outcome")
    last = opened.find_elements("css selector", ".rules > li")[-1]
    assert "decides" in last.get_attribute("class")
    assert "The smallest change that gives another outcome" in text(opened, "case-change")
    first = fields[0].find_elements("tag name", "option")[1].text
    choose(opened, fields[0].get_attribute("id"), first)
    lit = opened.find_elements("css selector", ".rules > li.decides")
    assert len(lit) == 1
    badges = [one.text for one in opened.find_elements("css selector", ".badge")]
    assert badges == [
        f"This decides your case: class is {first}",
        *["Not asked"] * (len(badges) - 1),
    ]
    assert len(badges) == len(opened.find_elements("css selector", ".rules > li"))
    opened.find_element("css selector", "#case-form button").click()


def test_the_certificate_is_searched(opened):
    type_into(opened, "claims-search", "MALE")
    assert text(opened, "claims-count") == "1 of 2 first rules"


def test_the_search_is_drawn_and_told(opened):
    chart = opened.find_element("id", "history-costs")
    assert chart.find_elements("tag name", "canvas")
    assert "the objective went from" in chart.get_attribute("aria-label")
    opened.find_element("css selector", "#history summary").click()
    assert "Lower bound" in text(opened, "history-numbers")


def test_thousands_of_lists_are_filtered_at_once(opened):
    milliseconds = []
    for letters in ("column 12", "column 7", "script"):
        type_into(opened, "near-use", letters)
        milliseconds.append(
            float(opened.find_element("id", "near").get_attribute("data-milliseconds"))
        )
    print("filtered in", milliseconds, "ms")
    type_into(opened, "near-avoid", "right to left")
    type_into(opened, "near-length", "2")
    choose(opened, "near-sort", "errors")
    assert " of 2,000 lists" in text(opened, "near-count")
    assert len(opened.find_elements("css selector", "#near-table tbody tr")) == 50
    opened.find_element("id", "near-more").click()
    assert len(opened.find_elements("css selector", "#near-table tbody tr")) == 100


def test_the_slider_walks_the_path(opened):
    before = text(opened, "path-text")
    opened.find_element("id", "path-slider").send_keys("\ue010")  # End
    assert text(opened, "path-text") != before
    assert text(opened, "path-list").startswith("Always")


def test_steps_go_forward_and_back(opened):
    first = text(opened, "steps-text")
    assert "no rule is chosen yet" in first
    opened.find_element("id", "steps-next").click()
    assert text(opened, "steps-text") != first
    opened.find_element("id", "steps-back").click()
    assert text(opened, "steps-text") == first
    type_into(opened, "steps-at", "9999\t")
    assert "the search is complete" in text(opened, "steps-open")


def soon(browser, selector):
    """The elements of a part that the page draws when it is opened, a moment after the click."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, 60).until(
        lambda _: browser.find_elements("css selector", selector)
    )


def test_the_children_of_a_step_are_counted_as_the_table_says(opened):
    """Support and errors of every child against the columns themselves."""
    opened.find_element("id", "steps-back").click()
    type_into(opened, "steps-at", "1\t")
    data = load("titanic")
    names = [antecedent.name for antecedent in data.antecedents]
    rows = opened.find_elements("css selector", "#steps-children tbody tr")
    assert len(rows) > 3
    for row in rows:
        name, captured, errors, _ = (cell.text for cell in row.find_elements("xpath", "*"))
        held = data.labels[data.captures[names.index(name)]]
        assert captured == f"{len(held):,}"
        assert errors == f"{min((held == 0).sum(), (held == 1).sum()):,}"
    opened.find_element("css selector", "#steps-data summary").click()
    shown = soon(opened, "#steps-table tbody tr")
    totals = [int(row.find_elements("tag name", "td")[0].text.replace(",", "")) for row in shown]
    assert sum(totals) == len(data.labels)
    family = opened.find_element("css selector", "#steps-children details")
    family.find_element("tag name", "summary").click()
    assert family.get_attribute("open") is None


def test_the_range_of_each_rate_is_that_of_the_lists(browser, tmp_path, near_rates):
    document, file = near_rates
    complaints(browser)
    browser.get(file.as_uri())
    found = document["rates"]
    cells = browser.find_elements("css selector", "#near-rates tbody tr td:nth-child(3)")
    width = len(found["rates"])
    low = [min(every) for every in zip(*found["lists"], strict=True)]
    expected = [
        f"{100 * low[g * width + r]:.1f}%"
        for r in range(width)
        for g in range(len(found["groups"]))
    ]
    assert [cell.text for cell in cells] == expected
    before = [cell.text for cell in cells]
    type_into(browser, "near-length", "1")
    after = browser.find_elements("css selector", "#near-rates tbody tr td:nth-child(3)")
    assert [cell.text for cell in after] != before
    type_into(browser, "near-use", "nothing has this name")
    none = browser.find_elements("css selector", "#near-rates tbody tr td:nth-child(3)")
    assert {cell.text for cell in none} == {"-"}
    assert complaints(browser) == []
    assert faults(browser) == []


def test_it_fits_a_telephone_and_a_desk(opened):
    assert misfits(opened) == []
    script = "document.body.append(Object.assign(document.createElement('p'), {className: 'bar'}))"
    opened.execute_script(f"{script}; document.querySelector('p.bar').style.width = '50rem'")
    assert [one.partition(" <")[0] for one in misfits(opened)] == ["390 light", "390 dark"]


def test_hostile_names_do_nothing(browser, tmp_path):
    file = tmp_path / "h.html"
    near = near_lists(with_predictions(many_near(100)))
    report(hostile_list(), certificate(), Further(near=near)).save(file)
    complaints(browser)
    browser.get(file.as_uri())
    assert browser.execute_script("return window.hit") is None
    assert not browser.find_elements("tag name", "img")
    assert len(browser.find_elements("css selector", "#case-form label")) == 5
    assert "\\u202eright to left" in text(browser, "case-form")
    assert complaints(browser) == []


def test_axe_finds_no_serious_fault(opened):
    assert faults(opened) == []


def test_the_form_decides_as_the_model_does(browser, tmp_path):
    """At each threshold, just below and just above it, and where nothing is known."""
    problem = Problem.from_dataset(load("breast-cancer"), "0.01")
    model = corels.solve(problem, time_limit=10).model
    file = tmp_path / "b.html"
    report(model).save(file)
    browser.get(file.as_uri())
    labels = [one.text for one in browser.find_elements("css selector", "#case-form label")]
    cuts = {name: [] for name in labels}
    for antecedent in model.antecedents:
        for one in antecedent.conditions:
            cuts[one.column] += [one.value, one.value - 0.001, one.value + 0.001]
    choices = [[*cuts[name], None] for name in labels]
    for values in product(*choices):
        if all(value is None for value in values):
            continue
        lit = browser.execute_script(
            """const typed = arguments[0];
            const field = (i) => document.getElementById(`case-${i}`);
            typed.forEach((value, i) => { field(i).value = value ?? ""; });
            document.getElementById("case-form").dispatchEvent(new Event("input"));
            const items = [...document.querySelectorAll(".rules > li")];
            return items.map((item) => item.classList.contains("decides"));
            """,
            list(values),
        )
        row = {name: [value] for name, value in zip(labels, values, strict=True)}
        expected = int(model.capturing(row)[0])
        assert [i for i, on in enumerate(lit) if on] == [expected], values


@pytest.mark.parametrize(
    ("cells", "badges"),
    [
        (
            {"age": 31.5, "kind": "b"},
            ["Does not hold: age is 31.5", "This decides your case: kind is b"],
        ),
        (
            {"age": None, "kind": "c"},
            ["Does not hold: age is not known", "Does not hold: kind is not b"],
        ),
    ],
)
def test_a_case_begins_with_a_row_and_its_way_is_shown(browser, tmp_path, cells, badges):
    from corels_page.deciders import case
    from corels_rule_list.model import Rule, RuleList

    from corels.tables import Antecedent, Condition

    asked = [Condition("age", "<=", 30), Condition("kind", "==", "b"), Condition("kind", "missing")]
    rules = [Rule(Antecedent.of(one), i % 2, (2, 2)) for i, one in enumerate(asked)]
    model = RuleList(tuple(rules), Rule(None, 1, (1, 3)), ("no", "yes"), "out")
    table = {name: [None, cell] for name, cell in cells.items()}
    table["age"] = [float("nan") if cell is None else cell for cell in table["age"]]
    file = tmp_path / "row.html"
    report(model, None, Further(case=case(model, table, 2))).save(file)
    browser.get(file.as_uri())
    shown = [one.text for one in browser.find_elements("css selector", ".badge")]
    decides = browser.find_element("css selector", ".rules > li.decides").get_attribute("id")
    assert shown[:2] == badges
    assert decides == f"rule-{int(model.capturing(table)[1]) + 1}"
    assert "those of row 2" in text(browser, "case")
    browser.find_element("css selector", "#case-form button").click()
    none = "return new Promise((done) => setTimeout(() => done(document.querySelector('.badge'))))"
    assert browser.execute_script(none) is None


def test_dates_are_asked_for_by_their_order(browser, tmp_path):
    """Until, between and after the dates of a list, and exactly on one."""
    from corels_rule_list.model import Rule, RuleList

    from corels.tables import Antecedent, Condition

    asked = [("<=", "2023-12-31"), ("==", "2024-02-29"), (">", "2024-06-30")]
    rules = [
        Rule(Antecedent.of(Condition("when", *one)), i % 2, (2, 2)) for i, one in enumerate(asked)
    ]
    model = RuleList(tuple(rules), Rule(None, 1, (1, 3)), ("no", "yes"), "out")
    file = tmp_path / "d.html"
    report(model).save(file)
    complaints(browser)
    browser.get(file.as_uri())
    field = browser.find_element("css selector", "#case-form select")
    options = [one.text for one in field.find_elements("tag name", "option")]
    days = [None, "2023-05-01", "2024-06-30", "2024-02-29", "2024-07-01"]
    assert options == [
        "not known",
        "until 2023-12-31",
        "after 2023-12-31 and until 2024-06-30 and not on 2024-02-29",  # one answer for the model
        "on 2024-02-29",
        "after 2024-06-30",
    ]
    for option, day in list(zip(options, days, strict=True))[1:]:
        choose(browser, "case-0", option)
        lit = browser.find_element("css selector", ".rules > li.decides").get_attribute("id")
        expected = int(model.capturing({"when": [day, "2020-01-01"]})[0])
        assert lit == f"rule-{expected + 1}", option
    assert complaints(browser) == []


def test_every_control_is_reached_by_the_keyboard_alone(opened):
    """Tab goes from the link past the head through all that can be used, once round."""
    reachable = """
        const wanted = "a[href], button:not([disabled]), input, select, summary, [tabindex='0']";
        const found = [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility());
        found.forEach((one, i) => { one.dataset.order = i; });
        return found.length;"""
    number = opened.execute_script(reachable)
    assert number > 20
    seen = []
    for _ in range(number):
        opened.switch_to.active_element.send_keys("\ue004")
        seen.append(opened.execute_script("return document.activeElement.dataset.order"))
    assert seen == [str(i) for i in range(number)]
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert opened.execute_script(outline) == "solid"


def test_nothing_moves_by_itself(opened):
    """No animation and no transition, so there is nothing to reduce."""
    moving = """return [...document.querySelectorAll("*")].filter((one) => {
        const style = getComputedStyle(one);
        return style.animationName !== "none" || style.transitionDuration !== "0s";
    }).length"""
    assert opened.execute_script(moving) == 0
