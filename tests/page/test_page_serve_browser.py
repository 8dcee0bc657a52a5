"""`corels serve` in Chromium: searches are watched, stopped, kept, opened again and compared."""

import subprocess

import pytest
from page_samples import complaints, faults, misfits, requests
from serving import CORELS, FIRST, SECOND, Served

for package in ("jinja2", "polars", "starlette", "uvicorn"):
    pytest.importorskip(package, reason="the extra `page` is not installed")

pytestmark = pytest.mark.outside

PAIRS = "document.querySelector('[data-name=max_cardinality]')"


@pytest.fixture
def served(tmp_path_factory):
    found = Served("--upload-limit", "1", cwd=tmp_path_factory.mktemp("served"))
    yield found
    assert found.close() == 0
    found.reader.join(10)
    assert found.errors == ["the server has ended\n"]


@pytest.fixture
def browser(chromium):
    """Chromium with one new tab, and nothing to tell of the test before."""
    before = chromium.window_handles
    chromium.switch_to.new_window("tab")
    new = chromium.current_window_handle
    for other in before:
        chromium.switch_to.window(other)
        chromium.close()
    chromium.switch_to.window(new)
    complaints(chromium), requests(chromium)
    return chromium


def test_in_a_real_browser(served, browser, tmp_path):
    """Start, see it improve, stop, keep; and a file of one's own."""
    from selenium.webdriver.support.ui import Select, WebDriverWait

    at = lambda name: browser.find_element("id", name)  # noqa: E731
    wait = WebDriverWait(browser, 60)
    browser.get(served.address)
    wait.until(lambda _: at("start").is_enabled())
    Select(at("dataset")).select_by_value("heart")
    wait.until(lambda _: "heart" in at("loaded").text)
    at("regularization").clear()
    at("regularization").send_keys("0.001")
    browser.execute_script(f"{PAIRS}.value = '2'")  # it takes minutes
    at("start").click()
    wait.until(lambda _: at("live-gap").text not in ("", "-"))
    assert at("live-list").text
    browser.refresh()  # the search goes on, and is watched again
    wait.until(lambda _: at("stop").is_enabled())
    wait.until(lambda _: at("live-gap").text not in ("", "-"))
    wait.until(lambda _: at("live-left").is_displayed())
    assert not at("live-remaining").is_displayed(), "depth-first does not know it"
    at("stop").click()
    wait.until(lambda _: at("kept").is_displayed())
    assert "interrupted" in at("phase").text
    browser.switch_to.frame(at("frame"))
    wait.until(lambda _: "Stopped early" in at("certificate").text)  # once the frame is loaded
    assert browser.execute_script("return window.origin") == "null", "the frame is sandboxed"
    browser.switch_to.default_content()
    file = tmp_path / "mine; touch hit.csv"
    file.write_text("a,b,out\n" + "1,0,1\n0,1,0\n" * 20, encoding="utf-8")
    at("file").send_keys(str(file))
    wait.until(lambda _: at("loaded").text.startswith("mine"))
    Select(at("label")).select_by_value("out")
    browser.execute_script(f"{PAIRS}.value = ''")
    at("start").click()
    wait.until(lambda _: "certified" in at("phase").text)
    assert "out = " in at("live-list").text
    assert at("message").text == ""
    assert faults(browser) == []
    assert complaints(browser) == []
    assert all(url.startswith((served.origin, "about:")) for url in requests(browser))


class Driven:
    """A page of the server in Chromium, with files of a user's own."""

    def __init__(self, served, browser, place):
        from selenium.webdriver.support.ui import WebDriverWait

        self.browser, self.address, self.place = browser, served.address, place
        self.wait = WebDriverWait(self.browser, 30)
        (place / "first.csv").write_bytes(FIRST)
        (place / "second.csv").write_bytes(SECOND)
        (place / "large.csv").write_bytes(b"a,b\n" + b"1,2\n" * 300_000)
        (place / "bad.csv").write_text("a,b\n1\n", encoding="utf-8")

    def open(self):
        """The page is there once it shows a table."""
        self.browser.get(self.address)
        self.shows("loaded", "rows")

    def at(self, name):
        return self.browser.find_element("id", name)

    def click(self, element):
        """In the middle of the window, where the bar at the bottom hides nothing."""
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def shows(self, name, text):
        self.wait.until(lambda _: text in self.at(name).text, f"{name} does not show {text!r}")

    def seen(self, *names):
        return [name for name in names if self.at(name).is_displayed()]

    def send(self, name):
        self.at("file").send_keys(str(self.place / name))

    def choose(self, name, value):
        from selenium.webdriver.support.ui import Select

        Select(self.at(name)).select_by_value(value)

    def built_in(self, name):
        self.choose("dataset", name)
        self.shows("loaded", f"{name}, ")

    def put(self, name, text):
        self.at(name).clear()
        self.at(name).send_keys(text)

    def press(self, label):
        self.click(self.browser.find_element("css selector", f"[aria-label='{label}']"))


@pytest.fixture
def driven(served, browser, tmp_path):
    found = Driven(served, browser, tmp_path)
    found.open()
    yield found
    assert faults(found.browser) == []
    assert misfits(found.browser) == []
    refusals = (" 400 ", " 413 ")  # Chromium tells of every answer that is an error
    said = complaints(found.browser)
    assert [line for line in said if not any(one in line for one in refusals)] == []


def test_two_pages_of_a_server_in_a_real_browser(driven):
    browser, at = driven.browser, driven.at
    one = browser.current_window_handle
    driven.send("first.csv")
    driven.shows("loaded", "first.csv, 40 rows, 2 columns")
    at("start").click()  # nothing is chosen silently
    driven.shows("label-wrong", "nothing is chosen: choose what is predicted")
    driven.choose("label", "b")
    at("start").click()
    driven.shows("phase", "certified")
    browser.switch_to.new_window("tab")
    driven.open()
    driven.shows("loaded", "first.csv, 40 rows, 2 columns")
    driven.shows("live-list", "b = ")
    assert at("label").get_attribute("value") == "b", "the form is that of the last run"
    driven.send("second.csv")
    driven.shows("loaded", "second.csv, 30 rows, 3 columns")
    browser.close()
    browser.switch_to.window(one)
    driven.shows("loaded", "second.csv, 30 rows, 3 columns")
    offered = [one.text for one in at("label").find_elements("tag name", "option")]
    assert offered == ["choose a column", "x", "y", "z"]


def test_a_refused_upload_in_a_real_browser(driven):
    at = driven.at
    for name in ("bad.csv", "large.csv"):
        driven.send("first.csv")
        driven.wait.until(lambda _: driven.seen("live") == [] and at("label").is_enabled())
        driven.shows("loaded", "first.csv, 40 rows")
        assert at("message").text == ""
        driven.choose("label", "b")
        at("start").click()
        driven.shows("phase", "certified")
        driven.wait.until(lambda _: at("start").is_enabled())
        driven.send(name)
        driven.shows("message", name)
        assert at("loaded").text.startswith("first.csv"), "the good table stays"
        assert at("start").is_enabled() and at("label").get_attribute("value") == "b"
        assert driven.seen("live", "kept") == ["live", "kept"]


def test_a_failed_search_in_a_real_browser(driven):
    at = driven.at
    driven.built_in("titanic")
    at("start").click()
    driven.shows("phase", "certified")
    driven.wait.until(lambda _: at("start").is_enabled())
    driven.put("column", "nobody: cuts 3")
    at("start").click()
    driven.shows("phase", "The search failed")
    assert "nobody" in at("phase").text and at("live-run").text.startswith("Run ")
    assert driven.seen("numbers", "kept") == []
    for gone in ("live-objective", "live-bound", "live-seconds", "live-gap"):
        assert at(gone).get_attribute("textContent") == "-"
    assert at("live-list").get_attribute("textContent") == ""
    assert at("frame").get_attribute("src") in ("", None)
    driven.shows("runs", "failed")
    at("column").clear()
    driven.put("regularization", "much")
    driven.wait.until(lambda _: at("start").is_enabled())
    at("start").click()  # refused before it begins
    driven.shows("regularization-wrong", "what a rule costs is 'much'")
    assert driven.seen("live") == ["live"], "the run before stays in sight"


def test_runs_are_opened_again_compared_and_filled_in_in_a_real_browser(driven):
    at = driven.at
    driven.send("first.csv")
    driven.shows("loaded", "first.csv, 40 rows")
    driven.choose("label", "b")
    at("start").click()
    driven.shows("phase", "certified")
    first = at("live-run").text.partition(":")[0].lower()
    driven.wait.until(lambda _: at("start").is_enabled())
    driven.built_in("titanic")
    driven.browser.execute_script("document.getElementById('more').open = true")
    at("node_limit").send_keys("7")
    driven.choose("ignore", "age")
    at("start").click()
    driven.shows("runs", "node limit: 7")
    driven.shows("runs", "columns to leave out: age")
    driven.wait.until(lambda _: at("start").is_enabled())
    second = at("live-run").text.partition(":")[0].lower()
    driven.click(at(first.replace("run ", "tick-")))
    assert driven.seen("compared") == []
    driven.click(at(second.replace("run ", "tick-")))
    for text in (first, second, "titanic", "first.csv", "may not mean the same", "b = "):
        assert text in at("compared").text
    driven.press(f"Open {first}")
    driven.shows("live-run", f"{first.capitalize()}: first.csv")
    driven.shows("live-list", "b = ")
    assert f"/{first.replace(' ', 's/')}/model" in at("keep-model").get_attribute("href")
    at("node_limit").clear()
    driven.press(f"Fill in the settings of {second}")
    driven.wait.until(lambda _: at("node_limit").get_attribute("value") == "7")
    assert at("ignore").get_attribute("value") == "age"
    assert at("loaded").text.startswith("titanic")
    driven.press(f"Fill in the settings of {first}")
    driven.shows("message", f"first.csv of {first} is not loaded any more")
    assert at("node_limit").get_attribute("value") == ""


LOANS = "months,owner,outcome\n" + "".join(
    f"{999 if n % 10 == 0 else n % 97},{'yn'[n % 2]},{'paid' if n % 97 > 40 else 'default'}\n"
    for n in range(400)
)


def test_what_a_person_does_in_a_real_browser(driven):
    """Load, choose, start with Enter, lose nothing by a reload, and the positive class is said."""
    from selenium.webdriver.common.keys import Keys

    at = driven.at
    (driven.place / "loans.csv").write_text(LOANS, encoding="utf-8")
    driven.send("loans.csv")
    driven.shows("loaded", "loans.csv, 400 rows, 3 columns")
    driven.choose("label", "outcome")
    offered = [one.text for one in at("positive").find_elements("tag name", "option")]
    assert offered == ["as usual (paid)", "default", "paid"]
    driven.choose("positive", "default")
    at("cost").send_keys("fp=1,fn=5")
    at("regularization").clear()
    at("regularization").send_keys("0.02", Keys.ENTER)
    driven.shows("phase", "certified")
    driven.shows("notes", "2 columns -> ")
    where = "const b = document.getElementById('start').getBoundingClientRect(); "
    box = driven.browser.execute_script(where + "return [b.top, innerHeight];")
    assert 0 <= box[0] < box[1], "Start stays in sight"
    driven.browser.refresh()
    driven.wait.until(lambda _: at("cost").get_attribute("value"))
    for name, value in (
        ("label", "outcome"),
        ("positive", "default"),
        ("cost", "fp=1,fn=5"),
        ("regularization", "0.02"),
    ):
        assert at(name).get_attribute("value") == value, name
    # A browser lays out a frame that is out of sight only when it comes into sight.
    driven.browser.execute_script("arguments[0].scrollIntoView()", at("frame"))
    driven.wait.until(lambda _: at("frame").size["height"] > 700)
    driven.browser.switch_to.frame(at("frame"))
    driven.wait.until(lambda _: "a missed default costs 5, a false alarm 1" in at("list").text)
    driven.browser.switch_to.default_content()


def test_a_price_that_is_chosen_in_a_real_browser(driven):
    at = driven.at
    driven.built_in("titanic")
    driven.put("regularization", "auto")
    at("start").click()
    driven.shows("phase", "certified")
    driven.shows("notes", "The chosen lambda is")


def test_a_lost_server_is_said_in_a_real_browser(browser, tmp_path):
    own = Served(cwd=tmp_path)
    driven = Driven(own, browser, tmp_path)
    driven.open()
    at = driven.at
    driven.built_in("heart")
    browser.execute_script(f"{PAIRS}.value = '2'")
    at("regularization").clear()
    at("regularization").send_keys("0.001")
    at("start").click()
    driven.wait.until(lambda _: at("live-gap").text not in ("", "-"))
    assert own.close() == 0
    own.reader.join(10)
    assert own.errors == ["the server has ended\n"], "Ctrl-C is one line, whoever watches"
    driven.shows("message", "There is no connection to the server")
    assert "the last that it said" in at("phase").text and not at("stop").is_enabled()
    complaints(browser)


def test_a_description_is_saved_edited_and_loaded_again_in_a_real_browser(served, driven, tmp_path):
    """And what "my case" says of a row is what `corels predict` says of it."""
    at, browser = driven.at, driven.browser
    (driven.place / "loans.csv").write_text(LOANS, encoding="utf-8")
    driven.send("loans.csv")
    driven.shows("loaded", "loans.csv, 400 rows")
    driven.choose("label", "outcome")
    at("start").click()
    driven.shows("phase", "certified")
    driven.shows("notes", "“what is known of columns”")  # 999 may be a code
    assert "--" not in at("notes").text and "columns={" not in at("notes").text
    kept = tmp_path / "columns.toml"
    kept.write_bytes(fetched(served, at("keep-description")))
    assert "[columns.months]" in kept.read_text(encoding="utf-8")
    text = kept.read_text(encoding="utf-8")
    kept.write_text(text.replace("[columns.months]", '[columns.months]\nmissing = ["999"]'))
    driven.wait.until(lambda _: at("start").is_enabled())
    at("description").send_keys(str(kept))
    driven.shows("described", "columns.toml is loaded")
    at("start").click()
    driven.shows("runs", "a file that describes the columns: columns.toml")
    driven.wait.until(lambda _: at("start").is_enabled())
    assert "no value" not in at("notes").text
    browser.refresh()
    driven.shows("described", "columns.toml is loaded")
    driven.shows("phase", "certified")
    (tmp_path / "model.json").write_bytes(fetched(served, at("keep-model")))
    predicted = subprocess.run(
        [*CORELS, "predict", "model.json", "loans.csv"], cwd=tmp_path, capture_output=True,
        text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    answers = [line.rpartition(",")[2] for line in predicted if line.endswith(("paid", "default"))]
    browser.execute_script("arguments[0].scrollIntoView()", at("frame"))
    browser.switch_to.frame(at("frame"))
    driven.wait.until(lambda _: browser.find_elements("id", "case-0"))
    for row in (0, 1, 41, 60):  # row 0 has the code
        driven.put("case-0", LOANS.splitlines()[row + 1].partition(",")[0])
        driven.shows("case-outcome", f"outcome = {answers[row]}")
    browser.switch_to.default_content()


def fetched(served, link):
    """What is behind a link of the page."""
    path = link.get_attribute("href").removeprefix(served.origin)
    status, _, content = served.ask("GET", path)
    assert status == 200
    return content
