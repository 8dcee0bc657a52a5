"""`corels serve`: who is refused, what is refused, and that no text becomes a command."""

import json
import shlex
import signal
import subprocess
from urllib.parse import quote

import pytest
from page_samples import HOSTILE, complaints, faults, misfits, open_browser, requests
from serving import CORELS, Client, Served

for package in ("jinja2", "polars", "starlette", "uvicorn"):
    pytest.importorskip(package, reason="the extra `page` is not installed")

TITANIC = {"dataset": "titanic", "solver": "rule-list", "regularization": "0.01"}
SLOW = {"dataset": "breast-cancer", "solver": "rule-list", "regularization": "0.0002"}
META = "; touch hit; $(touch hit) `touch hit` | touch hit & \n touch hit"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def served(place):
    found = Served("--upload-limit", "1", cwd=place)
    yield found
    assert found.close() == 0
    assert found.errors == []


def test_it_listens_on_this_machine_alone_under_a_random_token(served):
    assert served.address.startswith("http://127.0.0.1:")
    assert len(served.path.strip("/")) >= 20
    status, headers, _ = served.ask("GET", served.path)
    assert status == 200
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "set-cookie" not in headers
    assert len({Client(served).path for _ in range(3)}) == 3


@pytest.mark.parametrize("path", ["/", "/wrong/", "/wrong/report", "//", "/%2e%2e/", "/%C3%A9/"])
def test_a_wrong_token_is_refused(served, path):
    status, headers, body = served.ask("GET", path)
    assert status == 404
    assert served.path.strip("/") not in body.decode() + str(headers)


def test_foreign_origins_and_hosts_are_refused(served):
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": served.origin.replace("http:", "https:")},
        {},
    ):
        assert served.ask("POST", served.path + "start", b"{}", **headers)[0] == 403
    assert served.ask("GET", served.path, Origin="http://evil.example")[0] == 403
    assert served.ask("GET", served.path, Host="evil.example")[0] == 403
    assert served.ask("GET", served.path, Host="[")[0] in (400, 403)
    origin = {"Host": "evil.example", "Origin": "http://evil.example"}
    assert served.ask("POST", served.path + "start", b"{}", **origin)[0] == 403


def test_the_report_says_which_cells_of_an_upload_were_read_as_missing(served):
    client = Client(served)
    rows = "".join(f"{20 + at % 40},{'yes' if at % 40 < 9 else 'no'}\n" for at in range(200))
    assert client.upload(f"age,ill\n-,no\n{rows}".encode())[0] == 200
    wanted = {"label": "ill", "solver": "rule-list", "regularization": "0.01"}
    assert client.start(wanted)[0] == 200
    last = client.events()[-1]
    assert last["phase"] == "done" and last["model"]["deciders"][0]["captured"] == 50  # a cut
    page = client.get("report")[1].decode()
    assert "1 of 201 cells is no number" in page


def test_an_upload_over_the_limit_is_refused(served):
    client = Client(served)
    status, said = client.upload(b"a,b\n" + b"1,2\n" * 300_000)
    assert (status, said) == (
        413,
        {"error": "the table is larger than 1,048,576 bytes, the most that is taken here"},
    )
    assert client.post("start", b"[" * 200_000)[0] == 413
    assert client.upload(b"a,b\n1,2\n0,1\n")[0] == 200


@pytest.mark.parametrize(
    "body", [b"", b"a", b"a,a\n1,2\n", b"a,b\n1\n", b"\xff\xfe", b"a,b\n\0,1\n", b'a,b\n"1,2\n']
)
def test_a_table_that_is_none_is_refused_in_a_sentence(served, body):
    status, said = Client(served).upload(body)
    assert status == 400
    assert said["error"]


def test_a_tab_without_a_search_has_nothing(served):
    client = Client(served)
    assert client.told()["runs"] == []
    for part in ("events", "report", "model"):
        assert client.get(part)[0] == 404
    assert client.post("stop")[0] == 409
    client.path = served.path + "tabs/unknown"
    for name in ("start", "stop", "upload"):
        status, said = client.post(name, b"{}")
        assert (status, "reload the page" in said["error"]) == (404, True)


def test_start_watch_and_keep(served):
    client = Client(served)
    assert client.start(TITANIC) == (200, {"run": 1})
    seen = client.events()
    assert seen[-1]["phase"] == "done"
    assert seen[-1]["moment"]["objective"] == seen[-1]["moment"]["bound"]
    assert seen[-1]["model"]["deciders"]
    status, page = client.get("report")
    assert status == 200
    assert b"Certified optimal" in page
    assert Client(served).get("report")[0] == 404, "a report is its own tab's"


FIRST = b"a,b\n" + b"1,2\n0,1\n" * 20
SECOND = b"x,y,z\n" + b"u,0,p\nv,1,q\nw,1,q\n" * 10
MINE = {"solver": "rule-list", "regularization": "0.01"}


def test_two_tabs_have_tables_and_runs_of_their_own(served):
    one, two = Client(served), Client(served)
    assert one.upload(FIRST, X_File_Name="first.csv")[0] == 200
    assert two.told()["table"] is None
    status, said = two.start({**MINE, "label": "b"})
    assert (status, said["error"]) == (400, "choose a built-in table, or a CSV file")
    assert two.upload(SECOND, X_File_Name="second.csv")[0] == 200
    told = one.told()["table"]
    size = {"rows": 40, "columns": 2, "labels": ["a", "b"]}
    assert told == {"number": 1, "name": "first.csv", **size}
    assert one.start({**MINE, "label": "b"})[0] == 200
    assert two.start({**MINE, "label": "z"})[0] == 200, "each tab may search"
    assert one.events()[-1]["model"]["label"] == "b"
    assert two.events()[-1]["model"]["label"] == "z"
    assert [run["table"]["name"] for run in one.told()["runs"]] == ["first.csv"]
    assert [run["table"]["name"] for run in two.told()["runs"]] == ["second.csv"]


@pytest.mark.parametrize("refused", [b"", b"a,b\n1\n", b"a,b\n" + b"1,2\n" * 300_000])
def test_a_refused_upload_unloads_the_table_before_it(refused, served):
    client = Client(served)
    assert client.upload(FIRST)[0] == 200
    assert client.upload(refused)[0] in (400, 413)
    assert client.told()["table"] is None
    client.table = 1  # a page that does not know of it
    status, said = client.start({**MINE, "label": "b"})
    assert (status, said["error"]) == (400, "choose a built-in table, or a CSV file")
    assert client.told()["runs"] == []


def test_only_the_table_that_the_page_shows_is_searched(served):
    client = Client(served)
    assert client.upload(FIRST)[1]["number"] == 1
    assert client.upload(FIRST)[1]["number"] == 2
    for number in (1, None, "2"):
        client.table = number
        status, said = client.start({**MINE, "label": "b"})
        assert (status, "not loaded any more" in said["error"]) == (400, True)
    client.table = 2
    assert client.start({**MINE, "label": "b"})[0] == 200


def test_a_failed_search_has_nothing_of_the_one_before(served):
    client = Client(served)
    assert client.start(TITANIC)[0] == 200
    assert client.events()[-1]["phase"] == "done"
    failing = {**TITANIC, "table": {"columns": "no such column"}}
    assert client.start(failing) == (200, {"run": 2})
    last = client.events()[-1]
    assert last["phase"] == "failed" and "no such column" in last["error"]
    assert set(last) <= {"number", "phase", "error", "course"}
    assert last.get("course", []) == []
    assert client.get("report")[0] == client.get("model")[0] == 404
    client.run = 1
    assert client.get("report")[0] == 200, "the run before can be opened again"


def test_a_run_that_fails_on_its_way_keeps_no_numbers(monkeypatch):
    from corels_page import job

    def broken(*_):
        raise ValueError

    monkeypatch.setattr(job, "page_document", broken)
    found = job.Job(job.asked(TITANIC, None), 1)
    found.wait(60)
    assert set(found.state) == {"number", "phase", "error"}
    assert "ValueError" in found.state["error"]
    assert (found.course, found.saved, found.page, found.running) == ([], None, None, False)


def test_the_history_has_what_was_asked_for_and_what_came_out(served):
    client = Client(served)
    limits = {"time_limit": "60", "node_limit": " 5 ", "cache_limit": ""}
    form = {**TITANIC, "limits": limits, "table": {"max_cardinality": "2"}}
    assert client.start(form)[0] == 200
    stopped = client.events()[-1]
    assert client.start(TITANIC)[0] == 200
    client.events()
    first, second = client.told()["runs"]
    assert first["table"]["name"] == "titanic" and first["table"]["rows"] == 2201
    assert first["form"]["limits"] == {"time_limit": "60", "node_limit": "5"}
    assert first["form"]["table"] == {"max_cardinality": "2"}
    assert first["form"]["dataset"] == "titanic" and first["form"]["regularization"] == "0.01"
    assert second["form"]["limits"] == second["form"]["options"] == {}
    assert first["state"] == {k: v for k, v in stopped.items() if k != "course"}
    assert (first["number"], second["number"], client.told()["running"]) == (1, 2, None)
    client.run = 1
    (again,) = client.events()
    assert again["course"] and again["moment"] == stopped["moment"]


def test_old_runs_and_idle_tabs_go_first(monkeypatch):
    import asyncio

    from corels_page import server

    monkeypatch.setattr(server, "MOST_RUNS", 2)
    tab = server._Tab()
    for _ in range(3):
        tab.start(dict(TITANIC)).wait(60)
    assert list(tab.runs) == [2, 3]
    monkeypatch.setattr(server, "MOST_TABS", 2)
    served = server.Server("token", 1)
    open_tab = lambda: json.loads(asyncio.run(served.open(None)).body)["tab"]  # noqa: E731
    first, second = open_tab(), open_tab()
    served._of(type("Request", (), {"path_params": {"tab": first}}))  # used again
    assert list(served._tabs) == [second, first]
    third = open_tab()
    assert list(served._tabs) == [first, third]


def test_one_search_at_a_time_and_stop(served):
    client = Client(served)
    assert client.start(SLOW)[0] == 200
    status, said = client.start(TITANIC)
    assert status == 409
    assert "stop it first" in said["error"]
    assert client.post("stop")[0] == 200
    last = client.events()[-1]
    assert last["phase"] in ("done", "failed")
    assert client.start(TITANIC)[0] == 200
    assert client.events()[-1]["phase"] == "done"


@pytest.mark.parametrize("field", ["dataset", "label", "solver", "regularization"])
def test_a_shell_metacharacter_in_a_field_is_only_text(served, place, field):
    client = Client(served)
    client.upload(b"a,b\n1,2\n0,1\n", X_File_Name="x%3B%20touch%20hit%0A")
    form = {**TITANIC, "dataset": "", "label": "b", field: META}
    status, said = client.start(form)
    assert status == 400
    assert "\n" not in said["error"]
    assert not list(place.iterdir())


def test_shell_metacharacters_in_every_option(served, place):
    client = Client(served)
    from corels.data import TABLE_OPTIONS

    from corels.plugins import registry
    from corels.run.solve import LIMITS

    solver = registry().get("solver", "rule-list")
    for group, table in (("table", TABLE_OPTIONS), ("options", solver.options), ("limits", LIMITS)):
        for option in table:
            status, said = client.start({**TITANIC, group: {option.name: META}})
            if status == 200:  # a name that is only looked up when the data is read
                last = client.events()[-1]
                assert last["phase"] in ("failed", "done"), last
            else:
                assert status == 400, (option.name, status, said)
    assert not list(place.iterdir())


@pytest.mark.parametrize(
    "form", [[], 1, {"solver": 1}, {**TITANIC, "options": []}, {**TITANIC, "limits": {"x": "1"}}]
)
def test_a_form_that_is_none_is_refused(served, form):
    assert Client(served).start(form)[0] == 400


def test_hostile_columns_and_labels(served):
    client = Client(served)
    columns = ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE)
    rows = "".join(f"{i % 2},{i},{i % 3},x,{i % 2},{(i // 3) % 2}\n" for i in range(60))
    status, said = client.upload((columns + "\n" + rows).encode())
    assert status == 200
    form = {**TITANIC, "dataset": "", "label": said["labels"][2]}
    assert client.start(form) == (200, {"run": 1})
    last = client.events()[-1]
    assert last["phase"] == "done", last
    page = client.get("report")[1].decode()
    assert "<img" not in page
    assert "\u202e" not in page


MESSY = (
    " name ;weight;known;when;smokes;out\r\n"
    "Ann ; 60.5;NA;2024-01-02;TRUE;yes\r\n"
    '"B;ob";?;null;2024-03-01;false;no\r\n'
    " N/A ;71;NULL;;true;yes\r\n"
    "None; -3e2 ;nan;2023-12-31;False;no\r\n"
)


@pytest.mark.parametrize(
    "text",
    [
        MESSY,
        "\ufeffa,b\n1,x\n0,y\n",
        "a|b\n01|1\n2|0\n",
        '[{"a": 1, "b": "x"}, {"a": null, "b": "y"}]',
    ],
)
def test_an_upload_is_read_as_a_file_is(text, tmp_path):
    from corels.data import columns_of
    from corels_page.upload import read_upload

    file = tmp_path / "t.csv"
    file.write_text(text, encoding="utf-8", newline="")
    expected, found = columns_of(file), read_upload(file.read_bytes(), "t.csv")
    assert list(found) == list(expected)
    for name, column in expected.items():
        assert found[name].values.tolist() == column.values.tolist()
        assert found[name].missing.tolist() == column.missing.tolist()
        assert found[name].categories == column.categories


def test_a_packed_upload_is_refused():
    import gzip

    from corels_page.upload import read_upload

    from corels.errors import InputError

    with pytest.raises(InputError, match="unpack it first"):
        read_upload(gzip.compress(b"a,b\n1,2\n"), "t.csv.gz")


OTHERS = [
    ("falling", {"rule_cost": "0.002", "positive_weight": "2"}),
    ("falling", {"method": "monte-carlo", "iterations": "50", "seed": "3"}),
    ("softly-falling", {"violation_cost": "0.3", "rule_cost": "0.002", "max_rules": "3"}),
    ("rule-set", {"form": "cnf", "complexity": "4"}),
    ("rule-set", {"penalty_clause": "0.01", "penalty_condition": "1/1000", "pricing": "exact"}),
]


@pytest.mark.parametrize(("solver", "options"), OTHERS)
def test_the_options_of_other_solvers_are_those_of_the_command_line(solver, options, served):
    pytest.importorskip("highspy") if solver == "rule-set" else None
    from corels.data import load

    from corels.problem import Problem
    from corels.run.solve import solve

    client = Client(served)
    form = {"dataset": "titanic", "solver": solver, "options": options}
    assert client.start(form) == (200, {"run": 1})
    last = client.events()[-1]
    assert last["phase"] == "done", last
    same = solve(Problem.from_dataset(load("titanic")), solver, time_limit=60, **options)
    assert last["moment"]["objective"] == float(same.certificate.objective)
    status, page = client.get("report")
    assert status == 200
    assert b'id="near"' not in page
    wrong = next(iter(options))
    status, said = client.start({**form, "options": {wrong: "perhaps"}})
    assert (status, wrong in said["error"]) == (400, True)


@pytest.mark.parametrize("name", ["mine.csv", "a table's; touch hit.csv", "-x.csv"])
def test_a_kept_report_names_the_command_that_checks_the_kept_model(name, served, tmp_path):
    client = Client(served)
    table = "age,job,ill\n" + "30,smith,no\n45,clerk,yes\n51,smith,yes\n28,?,no\n" * 8
    (tmp_path / name).write_text(table, encoding="utf-8")
    assert client.get("model")[0] == 404
    assert client.upload(table.encode(), X_File_Name=quote(name))[0] == 200
    form = {**TITANIC, "dataset": "", "label": "ill", "table": {"max_cardinality": "2"}}
    assert client.start(form) == (200, {"run": 1})
    assert client.events()[-1]["phase"] == "done"
    status, model = client.get("model")
    assert status == 200
    (tmp_path / "model.json").write_bytes(model)
    page = client.get("report?keep=1")[1].decode()
    told = json.loads(page.partition('id="document">')[2].partition("</script>")[0])
    words = shlex.split(told["certificate"]["check"])
    assert words[:3] == ["corels", "check", "model.json"]
    done = subprocess.run(
        [*CORELS, *words[1:]], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the same data" in done.stdout


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_a_service_manager_end_it_also_while_a_search_runs(tmp_path, how):
    own = Served(cwd=tmp_path)
    client = Client(own)
    assert client.start(SLOW)[0] == 200
    assert own.close(how) == 0
    assert own.errors == []


def test_a_port_in_use_is_one_sentence(served):
    done = subprocess.run(
        [*CORELS, "serve", "--port", str(served.port)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"port {served.port} cannot be used" in done.stderr


@pytest.mark.parametrize(
    "arguments", [("--port", "x"), ("--port", "70000"), ("--upload-limit", "0")]
)
def test_wrong_arguments_are_one_sentence(arguments):
    done = subprocess.run(
        [*CORELS, "serve", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.fixture(scope="module")
def chromium():
    found = open_browser()
    yield found
    found.quit()


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
    wait = WebDriverWait(browser, 20)
    browser.get(served.address)
    wait.until(lambda _: at("start").is_enabled())
    Select(at("dataset")).select_by_value("breast-cancer")
    at("regularization").clear()
    at("regularization").send_keys("0.0002")
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
    assert "Stopped early" in at("certificate").text
    assert browser.execute_script("return window.origin") == "null", "the frame is sandboxed"
    browser.switch_to.default_content()
    file = tmp_path / "mine; touch hit.csv"
    file.write_text("a,b,out\n" + "1,0,1\n0,1,0\n" * 20, encoding="utf-8")
    at("file").send_keys(str(file))
    wait.until(lambda _: at("label").is_enabled())
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
        self.wait = WebDriverWait(self.browser, 20)
        (place / "first.csv").write_bytes(FIRST)
        (place / "second.csv").write_bytes(SECOND)
        (place / "large.csv").write_bytes(b"a,b\n" + b"1,2\n" * 300_000)
        (place / "bad.csv").write_text("a,b\n1\n", encoding="utf-8")

    def open(self):
        """The page is there once it has a tab."""
        self.browser.get(self.address)
        self.shows("loaded", "rows, built in")

    def at(self, name):
        return self.browser.find_element("id", name)

    def shows(self, name, text):
        self.wait.until(lambda _: text in self.at(name).text, f"{name} does not show {text!r}")

    def seen(self, *names):
        return [name for name in names if self.at(name).is_displayed()]

    def send(self, name):
        self.at("file").send_keys(str(self.place / name))

    def choose(self, name, value):
        from selenium.webdriver.support.ui import Select

        Select(self.at(name)).select_by_value(value)

    def press(self, label):
        self.browser.find_element("css selector", f"[aria-label='{label}']").click()


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


def test_two_tabs_in_a_real_browser(driven):
    browser, at = driven.browser, driven.at
    one = browser.current_window_handle
    driven.send("first.csv")
    driven.shows("loaded", "first.csv, 40 rows, 2 columns")
    at("start").click()
    driven.shows("runs", "ended: certified")
    browser.switch_to.new_window("tab")
    driven.open()
    assert driven.seen("history", "live", "kept") == []
    driven.send("second.csv")
    driven.shows("loaded", "second.csv, 30 rows, 3 columns")
    two = browser.current_window_handle
    browser.execute_script("window.open(location.href)")  # with a copy of the tab's storage
    (copy,) = set(browser.window_handles) - {one, two}
    browser.switch_to.window(copy)
    driven.shows("loaded", "rows, built in")
    browser.switch_to.window(two)
    browser.refresh()  # it is the same tab
    driven.shows("loaded", "second.csv, 30 rows, 3 columns")
    browser.switch_to.window(one)
    assert at("loaded").text == "first.csv, 40 rows, 2 columns"
    assert "b = " in at("live-list").text


def test_a_refused_upload_in_a_real_browser(driven):
    at = driven.at
    for name in ("bad.csv", "large.csv"):
        driven.send("first.csv")
        driven.shows("loaded", "first.csv")
        assert at("message").text == ""
        at("start").click()
        driven.shows("phase", "certified")
        driven.wait.until(lambda _: at("start").is_enabled())
        driven.send(name)
        driven.shows("message", name)
        driven.shows("loaded", "none")
        assert not at("start").is_enabled() and not at("label").is_enabled()
        assert driven.seen("live", "kept") == []


def test_a_failed_search_in_a_real_browser(driven):
    at = driven.at
    at("start").click()
    driven.shows("phase", "certified")
    driven.wait.until(lambda _: at("start").is_enabled())
    columns = at("table-columns")
    driven.browser.execute_script("arguments[0].value = 'no such column'", columns)
    at("start").click()
    driven.shows("phase", "The search failed")
    assert "no such column" in at("phase").text and at("live-run").text.startswith("Run 2: ")
    assert driven.seen("numbers", "kept") == []
    for gone in ("live-objective", "live-bound", "live-seconds", "live-gap"):
        assert at(gone).get_attribute("textContent") == "-"
    assert at("live-list").get_attribute("textContent") == ""
    assert at("frame").get_attribute("src") in ("", None)
    driven.shows("runs", "failed")
    driven.browser.execute_script("arguments[0].value = ''", columns)
    at("regularization").clear()
    at("regularization").send_keys("much")
    at("start").click()  # refused before it begins
    driven.shows("message", "much")
    assert driven.seen("live", "kept") == []


def test_runs_are_opened_again_compared_and_filled_in_in_a_real_browser(driven):
    at = driven.at
    driven.send("first.csv")
    driven.shows("loaded", "first.csv")
    at("start").click()
    driven.shows("runs", "ended: certified")
    driven.choose("dataset", "titanic")
    at("more").find_element("tag name", "summary").click()
    at("limits-node_limit").send_keys("7")
    at("start").click()
    driven.shows("runs", "node limit: 7")
    driven.wait.until(lambda _: at("start").is_enabled())
    at("tick-1").click()
    assert driven.seen("compared") == []
    at("tick-2").click()
    for text in ("run 1", "run 2", "titanic", "first.csv", "may not mean the same", "b = "):
        assert text in at("compared").text
    driven.press("Open run 1")
    driven.shows("live-run", "Run 1: first.csv")
    driven.shows("live-list", "b = ")
    assert at("keep-model").get_attribute("href").endswith("/runs/1/model")
    at("limits-node_limit").clear()
    driven.press("Fill in the settings of run 2")
    assert at("limits-node_limit").get_attribute("value") == "7"
    assert at("loaded").text.startswith("titanic")
    driven.press("Fill in the settings of run 1")
    assert at("limits-node_limit").get_attribute("value") == ""
    assert at("loaded").text.startswith("first.csv")
    driven.send("second.csv")
    driven.shows("loaded", "second.csv")
    driven.press("Fill in the settings of run 1")
    assert "first.csv of run 1 is not loaded any more" in at("message").text
    assert at("loaded").text.startswith("second.csv")
