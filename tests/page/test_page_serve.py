"""`corels serve`: who is refused, what is refused, and that no text becomes a command."""

import subprocess

import pytest
from page_samples import HOSTILE, complaints, faults, open_browser, requests
from serving import CORELS, Client, Served

for package in ("jinja2", "starlette", "uvicorn"):
    pytest.importorskip(package, reason="the extra `page` is not installed")

TITANIC = {"dataset": "titanic", "solver": "rule-list", "regularization": "0.01"}
SLOW = {"dataset": "breast-cancer", "solver": "rule-list", "regularization": "0.0005"}
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
    cookie = headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


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


def test_an_upload_over_the_limit_is_refused(served):
    client = Client(served)
    status, said = client.post("upload", b"a,b\n" + b"1,2\n" * 300_000)
    assert (status, said) == (413, {"error": "too large for this server"})
    assert client.post("start", b"[" * 200_000)[0] == 413
    assert client.post("upload", b"a,b\n1,2\n0,1\n")[0] == 200


@pytest.mark.parametrize(
    "body", [b"", b"a", b"a,a\n1,2\n", b"a,b\n1\n", b"\xff\xfe", b"a,b\n\0,1\n", b'a,b\n"1,2\n']
)
def test_a_table_that_is_none_is_refused_in_a_sentence(served, body):
    status, said = Client(served).post("upload", body)
    assert status == 400
    assert said["error"]


def test_a_browser_without_a_search_has_nothing(served):
    client = Client(served)
    assert client.get("events")[0] == 409
    assert client.get("report")[0] == 404
    assert client.post("stop")[0] == 409
    assert served.ask("POST", served.path + "start", b"{}", Origin=served.origin)[0] == 403


def test_start_watch_and_keep(served):
    client = Client(served)
    assert client.post("start", TITANIC) == (200, {})
    seen = client.events()
    assert seen[-1]["phase"] == "done"
    assert seen[-1]["moment"]["objective"] == seen[-1]["moment"]["bound"]
    assert seen[-1]["model"]["deciders"]
    status, page = client.get("report")
    assert status == 200
    assert b"Certified optimal" in page
    assert Client(served).get("report")[0] == 404, "a report is its own browser's"


def test_one_search_at_a_time_and_stop(served):
    client = Client(served)
    assert client.post("start", SLOW)[0] == 200
    status, said = client.post("start", TITANIC)
    assert status == 409
    assert "stop it first" in said["error"]
    assert client.post("stop")[0] == 200
    last = client.events()[-1]
    assert last["phase"] in ("done", "failed")
    assert client.post("start", TITANIC)[0] == 200
    assert client.events()[-1]["phase"] == "done"


@pytest.mark.parametrize("field", ["dataset", "label", "solver", "regularization"])
def test_a_shell_metacharacter_in_a_field_is_only_text(served, place, field):
    client = Client(served)
    client.post("upload", b"a,b\n1,2\n0,1\n", X_File_Name="x%3B%20touch%20hit%0A")
    form = {**TITANIC, "dataset": "", "label": "b", field: META}
    status, said = client.post("start", form)
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
            status, said = client.post("start", {**TITANIC, group: {option.name: META}})
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
    assert Client(served).post("start", form)[0] == 400


def test_hostile_columns_and_labels(served):
    client = Client(served)
    columns = ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE)
    rows = "".join(f"{i % 2},{i},{i % 3},x,{i % 2},{(i // 3) % 2}\n" for i in range(60))
    status, said = client.post("upload", (columns + "\n" + rows).encode())
    assert status == 200
    form = {**TITANIC, "dataset": "", "label": said["columns"][2]}
    assert client.post("start", form) == (200, {})
    last = client.events()[-1]
    assert last["phase"] == "done", last
    page = client.get("report")[1].decode()
    assert "<img" not in page
    assert "\u202e" not in page


@pytest.mark.parametrize(
    "arguments", [("--port", "x"), ("--port", "70000"), ("--upload-limit", "0")]
)
def test_wrong_arguments_are_one_sentence(arguments):
    done = subprocess.run(
        [*CORELS, "serve", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_in_a_real_browser(served, tmp_path):
    """Start, see it improve, stop, keep; and a file of one's own."""
    from selenium.webdriver.support.ui import Select, WebDriverWait

    browser = open_browser()
    try:
        at = lambda name: browser.find_element("id", name)  # noqa: E731
        wait = WebDriverWait(browser, 20)
        browser.get(served.address)
        Select(at("dataset")).select_by_value("breast-cancer")
        at("regularization").clear()
        at("regularization").send_keys("0.0005")
        at("start").click()
        wait.until(lambda _: at("live-gap").text not in ("", "-"))
        assert at("live-list").text
        browser.refresh()  # the search goes on, and is watched again
        wait.until(lambda _: at("stop").is_enabled())
        wait.until(lambda _: at("live-gap").text not in ("", "-"))
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
    finally:
        browser.quit()
