"""`corels serve`: who is refused, what is refused, and that no text becomes a command."""

import json
import shlex
import signal
import socket
import subprocess
import time
from html import escape
from urllib.parse import quote

import pytest
from called import ended
from page_samples import HOSTILE
from serving import CORELS, FIRST, SECOND, Client, Served

for package in ("jinja2", "polars", "starlette", "uvicorn"):
    pytest.importorskip(package, reason="the extra `page` is not installed")

PRICE = {"regularization": "0.01"}
TITANIC = {"dataset": "titanic", "solver": "rule-list", "options": PRICE}
MANY = {"regularization": "0.001", "max_cardinality": "2"}
SLOW = {"dataset": "heart", "solver": "rule-list", "options": MANY}


def with_options(**more):
    """The search of titanic, with further options."""
    return {**TITANIC, "options": {**PRICE, **more}}


ENDED = ["the server has ended\n"]
META = "; touch hit; $(touch hit) `touch hit` | touch hit & \n touch hit"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def served(place):
    found = Served("--upload-limit", "1", cwd=place)
    yield found
    assert found.close() == 0
    found.reader.join(10)
    assert found.errors == ENDED


@pytest.fixture
def client(served):
    """A page; what it has begun is over when the next test begins."""
    found = Client(served)
    yield found
    if found.told()["running"] is not None:
        found.post("stop")
        found.events()


def test_it_listens_on_this_machine_alone_under_a_random_token(served):
    assert served.address.startswith("http://127.0.0.1:")
    assert len(served.path.strip("/")) >= 20
    status, headers, _ = served.ask("GET", served.path)
    assert status == 200
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "set-cookie" not in headers


@pytest.mark.parametrize(
    "path", ["/", "/wrong/", "/wrong/report", "//", "/%2e%2e/", "/%C3%A9/", "?"]
)
def test_a_wrong_token_is_refused(served, path):
    status, headers, body = served.ask("GET", path)
    assert status == 404
    assert served.path.strip("/") not in body.decode() + str(headers)


@pytest.mark.parametrize("name", ["load", "start"])
def test_a_browser_that_leaves_while_it_sends_is_no_defect(name, tmp_path):
    own = Served(cwd=tmp_path)
    client = Client(own)
    lines = [f"POST {client.path}{name} HTTP/1.1", f"Host: {own.netloc}", f"Origin: {own.origin}"]
    with socket.create_connection(("127.0.0.1", own.port)) as connection:
        connection.sendall("\r\n".join([*lines, "Content-Length: 100", "", "{"]).encode())
        time.sleep(0.2)  # the server has begun to read
    assert client.told()["table"] is None
    assert own.close() == 0
    own.reader.join(10)
    assert own.errors == ENDED


def test_foreign_origins_and_hosts_are_refused(served):
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": served.origin.replace("http:", "https:")},
        {},
    ):
        assert served.ask("POST", served.path + "start", b"{}", **headers)[0] == 403
    assert served.ask("GET", served.path, Origin="http://evil.example")[0] == 403
    for host in ("evil.example", "[", ""):
        assert served.ask("GET", served.path, Host=host)[0] == 400
    origin = {"Host": "evil.example", "Origin": "http://evil.example"}
    assert served.ask("POST", served.path + "start", b"{}", **origin)[0] == 400


def test_the_report_says_which_cells_of_an_upload_were_read_as_missing(client):
    rows = "".join(f"{20 + at % 40},{'yes' if at % 40 < 9 else 'no'}\n" for at in range(200))
    assert client.upload(f"age,ill\n-,no\n{rows}".encode())[0] == 200
    wanted = {"label": "ill", "solver": "rule-list", "options": PRICE}
    assert client.start(wanted)[0] == 200
    last = client.events()[-1]
    assert last["phase"] == "done" and last["model"]["deciders"][0]["captured"] == 50  # a cut
    page = client.get("report")[1].decode()
    assert "1 of 201 cells is not a number" in page


def test_an_upload_over_the_limit_is_refused(client):
    status, said = client.upload(b"a,b\n" + b"1,2\n" * 300_000)
    assert (status, said) == (
        413,
        {
            "error": "the table is larger than 1,000,000 bytes, the most that is taken here: "
            "`corels serve --upload-limit` sets the limit, in megabytes"
        },
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


def test_a_server_without_a_search_has_nothing(tmp_path):
    own = Served(cwd=tmp_path)
    client = Client(own)
    assert client.told() == {"table": None, "runs": [], "running": None}
    for part in ("report", "model"):
        assert client.get(part)[0] == 404
    assert client.post("stop")[0] == 409
    status, said = client.start({"solver": "rule-list"})
    assert (status, "choose it again" in said["error"]) == (400, True)
    assert own.close() == 0


def test_start_watch_and_keep(client, served):
    assert client.start(TITANIC)[0] == 200
    seen = client.events()
    assert seen[-1]["phase"] == "done"
    assert seen[-1]["moment"]["objective"] == seen[-1]["moment"]["bound"]
    assert seen[-1]["model"]["deciders"]
    status, page = client.get("report")
    assert status == 200
    assert b"Certified optimal" in page
    assert b"corels check model.json --dataset titanic" in page
    for asked, kept in (("report", False), ("report?keep=1", True), ("model", True)):
        headers = served.ask("GET", f"{client.path}runs/{client.run}/{asked}")[1]
        assert ("Content-Disposition" in headers) == kept, asked
    other = Client(served)
    other.run = client.run
    assert other.get("report") == (200, page), "every page of the server shows its runs"


MINE = {"solver": "rule-list", "options": PRICE}


def test_pages_have_one_table_and_its_columns_and_classes_to_choose_from(served):
    one, two = Client(served), Client(served)
    assert one.upload(FIRST, X_File_Name="first.csv")[0] == 200
    told = two.told()["table"]
    size = {"rows": 40, "columns": 2, "labels": ["a", "b"], "dataset": "", "label": ""}
    classes = {"a": ["0", "1"], "b": ["1", "2"]}
    assert told == {"number": one.table, "name": "first.csv", "classes": classes, **size}
    assert two.upload(SECOND, X_File_Name="second.csv")[0] == 200
    status, said = one.start({**MINE, "label": "b"})
    assert (status, "not loaded any more" in said["error"]) == (400, True)
    assert two.start({**MINE, "label": "z"})[0] == 200
    assert two.events()[-1]["model"]["label"] == "z"
    status, said = two.upload(b"", "load?dataset=titanic")
    assert (status, said["label"], said["classes"]["sex"]) == (200, "survived", ["Female", "Male"])
    status, said = two.upload(b"", "load?dataset=nothing")
    assert (status, "'nothing'" in said["error"]) == (400, True)
    assert one.told()["table"]["name"] == "titanic"


@pytest.mark.parametrize("refused", [b"", b"a,b\n1\n", b"a,b\n" + b"1,2\n" * 300_000])
def test_a_refused_upload_leaves_the_table_before_it(client, refused):
    assert client.upload(FIRST)[0] == 200
    number = client.table
    assert client.upload(refused)[0] in (400, 413)
    assert client.told()["table"]["number"] == number
    client.table = number
    assert client.start({**MINE, "label": "b"})[0] == 200


def test_a_browser_hears_the_notes_of_the_command_line(client):
    """How many antecedents there are, what is unused and how to mend it: also in the report."""
    rows = "".join(f"{n},{n % 50},{n % 50 > 20}\n" for n in range(300))
    assert client.upload(f"id,x,y\n{rows}".replace("\n0,", "\n-,").encode())[0] == 200
    assert client.start({**MINE, "label": "y"})[0] == 200
    last = client.events()[-1]
    assert last["phase"] == "done", last
    assert any(note.startswith("2 columns -> ") and "antecedents" in note for note in last["notes"])
    page = client.get("report")[1].decode()
    for note in last["notes"]:
        assert escape(note.removesuffix("."), quote=False)[:40] in page.replace(
            "&#39;", "'"
        ).replace("&#34;", '"'), note


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"regularization": "much"}, "regularization", "what a rule costs is 'much'"),
        ({"max_cardinality": "x"}, "max_cardinality", "max cardinality is 'x'"),
        ({"time_limit": "soon"}, "time_limit", "most seconds is 'soon'"),
        ({"max_rules": "-1"}, "max_rules", "max rules is '-1'"),
        ({"cost": "costs.csv"}, "cost", "the name of a file"),
    ],
)
def test_an_error_names_its_field_as_the_form_does(given, field, words, served):
    status, said = Client(served).start(with_options(**given))
    assert (status, said["field"]) == (400, field)
    assert words in said["error"] and "_" not in said["error"] and "--" not in said["error"]


def test_lambda_is_chosen_as_on_the_command_line(client):
    assert client.start(with_options(regularization="auto"))[0] == 200
    last = client.events()[-1]
    assert last["phase"] == "done", last
    assert any("The chosen lambda is" in note for note in last["notes"])
    slow = {**SLOW, "options": {**MANY, "regularization": "auto:0.001"}}
    assert client.start(slow)[0] == 200
    while client.told()["runs"][-1]["state"].get("doing") is None:
        time.sleep(0.05)
    assert client.told()["runs"][-1]["state"]["doing"] == "choosing lambda, fold 1 of 5"
    assert client.post("stop")[0] == 200
    assert client.events()[-1]["phase"] == "done"


def test_only_the_table_that_the_page_shows_is_searched(client):
    first = client.upload(FIRST)[1]["number"]
    assert client.upload(FIRST)[1]["number"] == first + 1
    for number in (first, None, str(first + 1)):
        client.table = number
        status, said = client.start({**MINE, "label": "b"})
        assert (status, "not loaded any more" in said["error"]) == (400, True)
    client.table = first + 1
    assert client.start({**MINE, "label": "b"})[0] == 200


def test_a_failed_search_has_nothing_of_the_one_before(client):
    assert client.start(TITANIC)[0] == 200
    assert client.events()[-1]["phase"] == "done"
    assert client.start(with_options(ignore=["no such column"]))[0] == 200
    last = client.events()[-1]
    assert last["phase"] == "failed" and "no such column" in last["error"]
    assert set(last) == {"phase", "error"}
    assert client.get("report")[0] == client.get("model")[0] == 404
    client.run -= 1
    assert client.get("report")[0] == 200, "the run before can be opened again"


def test_a_run_that_fails_on_its_way_keeps_no_numbers(monkeypatch):
    from corels_page import form, job
    from corels_page.upload import Loaded

    def broken(*_):
        raise ValueError

    monkeypatch.setattr(job, "page_document", broken)
    filled = {**MINE, "table": 1, "label": "survived"}
    found = job.Job(form.asked(filled, Loaded.built_in(1, "titanic")), 1)
    found.wait(120)
    assert set(found.state) == {"phase", "error"}
    assert "ValueError" in found.state["error"]
    assert (found._moments, found.saved, found.page, found.running) == ([], None, None, False)


def test_the_history_has_what_was_asked_for_and_what_came_out(client):
    more = {"time_limit": "60", "node_limit": " 5 ", "cache_limit": "", "max_cardinality": "2"}
    assert client.start(with_options(**more, ignore=["age"], negations=True))[0] == 200
    *going, stopped = client.events()
    assert all([*map(len, one["course"])] == [len(one["course"][0])] * 3 for one in going)
    assert client.start(TITANIC)[0] == 200
    client.events()
    first, second = client.told()["runs"][-2:]
    assert first["table"]["name"] == "titanic" and first["table"]["rows"] == 2201
    assert first["form"]["options"] == {
        **PRICE, "time_limit": "60", "node_limit": " 5 ", "max_cardinality": "2",
        "ignore": ["age"], "negations": True,
    }  # fmt: skip
    assert first["form"]["dataset"] == "titanic" and second["form"]["options"] == PRICE
    assert first["form"]["scale"] != second["form"]["scale"], "each load is a table of its own"
    assert first["state"] == stopped
    assert (first["number"], second["number"]) == (client.run - 1, client.run)
    assert client.told()["running"] is None
    client.run -= 1
    assert client.events() == [stopped]


def test_old_runs_go_first(monkeypatch):
    from corels_page import server
    from corels_page.upload import Loaded

    monkeypatch.setattr(server, "MOST_RUNS", 2)
    served = server.Server("token", 1)
    served._loaded = Loaded.built_in(1, "titanic")
    for _ in range(3):
        served.start({**MINE, "table": 1, "label": "survived"}).wait(120)
    assert list(served._runs) == [2, 3]


def test_one_search_at_a_time_and_stop(client):
    assert client.start(SLOW)[0] == 200
    status, said = client.start(TITANIC)
    assert status == 409
    assert "stop it first" in said["error"]
    assert client.post("stop")[0] == 200
    last = client.events()[-1]
    assert last["phase"] in ("done", "failed")
    assert client.start(TITANIC)[0] == 200
    assert client.events()[-1]["phase"] == "done"


@pytest.mark.parametrize("field", ["label", "solver", "regularization"])
def test_a_shell_metacharacter_in_a_field_is_only_text(client, place, field):
    client.upload(b"a,b\n1,2\n0,1\n", X_File_Name="x%3B%20touch%20hit%0A")
    given = {"options": {field: META}} if field == "regularization" else {field: META}
    status, said = client.start({**MINE, "label": "b", **given})
    assert status == 400
    assert "\n" not in said["error"]
    assert not list(place.iterdir())


def test_shell_metacharacters_in_every_option(client, place):
    from corels.plugins import registry
    from corels.run.limits import LIMITS
    from corels.tables import DEMAND_OPTIONS, TABLE_OPTIONS

    solver = registry().get("solver", "rule-list")
    read = (*TABLE_OPTIONS, *DEMAND_OPTIONS)
    for option in (*read, *solver.options, *LIMITS):
        status, said = client.start(with_options(**{option.name: META}))
        if status == 200:  # a name that is only looked up when the data is read
            last = client.events()[-1]
            assert last["phase"] in ("failed", "done"), last
        else:
            assert status == 400, (option.name, status, said)
    assert not list(place.iterdir())


def test_no_text_of_a_form_is_the_name_of_a_file(served):
    status, said = Client(served).start(with_options(cost=__file__))
    assert (status, said["error"]) == (
        400,
        "this is the name of a file: write what each class costs",
    )


@pytest.mark.parametrize(
    "form",
    [[], 1, {"solver": 1}, {**MINE, "options": []}, {**MINE, "options": {"x": "1"}},
     {**MINE, "options": {"max_rules": 1}}, {**MINE, "description": "x"}],
)  # fmt: skip
def test_a_form_that_is_none_is_refused(client, form):
    client.upload(FIRST)
    given = {"table": client.table, "label": "b", **form} if isinstance(form, dict) else form
    status, said = client.post("start", given)
    assert (status, bool(said["error"])) == (400, True)


def test_hostile_columns_and_labels(client):
    columns = ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE)
    rows = "".join(f"{i % 2},{i},{i % 3},x,{i % 2},{(i // 3) % 2}\n" for i in range(60))
    status, said = client.upload((columns + "\n" + rows).encode())
    assert status == 200
    assert client.start({**MINE, "label": said["labels"][2]})[0] == 200
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


@pytest.mark.parametrize("text", [MESSY, "\ufeffa,b\n1,x\n0,y\n", "a|b\n01|1\n2|0\n"])
@pytest.mark.parametrize("missing", [None, "60.5, -3e2"])
def test_an_upload_is_read_as_a_file_is(text, missing, tmp_path):
    from corels_page.upload import Loaded

    from corels.tables import TableOptions, columns_of

    file = tmp_path / "t.csv"
    file.write_text(text, encoding="utf-8", newline="")
    expected = columns_of(file, reading=TableOptions(missing=missing).reading)
    loaded = Loaded.sent(1, "t.csv", file.read_bytes())
    found = loaded.read(TableOptions(missing=missing).reading)
    assert list(found) == list(expected) == list(loaded.columns)
    for name, column in expected.items():
        assert found[name].values.tolist() == column.values.tolist()
        assert found[name].missing.tolist() == column.missing.tolist()
        assert found[name].categories == column.categories
        assert (found[name].met, found[name].padded) == (column.met, column.padded)


def test_the_model_of_an_upload_passes_a_check_of_the_file(client, tmp_path, capsys):
    """Blanks around names, and usual words for 'no value' that here mean something else."""
    rows = [(" Ulm", 999, "no"), ("Köln", 3, "yes"), ("NA ", 4, "no"), ("NA", 5, "no")] * 9
    text = "\n".join(["city,months,y", *(",".join(map(str, row)) for row in rows)])
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    client.upload(text.encode())
    options = {"missing": "999", "regularization": "0.02"}
    client.start({"label": "y", "solver": "rule-list", "options": options})
    assert client.events()[-1]["phase"] == "done"
    (tmp_path / "m.json").write_bytes(client.get("model")[1])
    code, said, _ = ended(capsys, "check", tmp_path / "m.json", tmp_path / "t.csv")
    assert code == 0, said


def test_a_packed_upload_is_refused():
    import gzip

    from corels_page.upload import Loaded

    from corels.errors import InputError

    with pytest.raises(InputError, match="unpack it first"):
        Loaded.sent(1, "t.csv.gz", gzip.compress(b"a,b\n1,2\n"))


def test_other_solvers_minimise_costs_that_they_know(client):
    form = {"dataset": "titanic", "solver": "falling", "options": {"rule_cost": "0.01"}}
    form["options"]["cost"] = "fp=2,fn=1"
    assert client.start(form)[0] == 200
    last = client.events()[-1]
    assert last["phase"] == "done", last
    assert last["moment"]["objective"] == 64101 / 220100
    assert b"cost 252" in client.get("report")[1]
    form["options"]["abstain"] = "0.2"
    assert client.start(form)[0] == 200
    last = client.events()[-1]
    assert "says a class of every row and abstains from none" in str(last), last


OTHERS = [
    ("falling", {"rule_cost": "0.002", "positive_weight": "2"}),
    ("softly-falling", {"violation_cost": "0.3", "rule_cost": "0.002", "max_rules": "3"}),
    ("rule-set", {"form": "cnf", "complexity": "4"}),
    ("rule-set", {"penalty_clause": "0.01", "penalty_condition": "1/1000", "pricing": "exact"}),
]


@pytest.mark.parametrize(("solver", "options"), OTHERS)
def test_the_options_of_other_solvers_are_those_of_the_command_line(client, solver, options):
    pytest.importorskip("highspy") if solver == "rule-set" else None
    from corels.problem import Problem
    from corels.run.solve import solve
    from corels.tables import load

    form = {"dataset": "titanic", "solver": solver, "options": options}
    assert client.start(form)[0] == 200
    last = client.events()[-1]
    assert last["phase"] == "done", last
    same = solve(Problem.from_dataset(load("titanic")), solver, time_limit=60, **options)
    assert last["moment"]["objective"] == float(same.certificate.objective)
    status, page = client.get("report")
    assert status == 200
    assert b'id="near"' not in page
    wrong = next(iter(options))
    status, said = client.start({**form, "options": {wrong: "perhaps"}})
    assert (status, said["field"]) == (400, wrong)


@pytest.mark.parametrize("name", ["mine.csv", "a table's; touch hit.csv", "-x.csv"])
def test_a_kept_report_names_the_command_that_checks_the_kept_model(client, name, tmp_path):
    table = "age,job,ill\n" + "30,smith,no\n45,clerk,yes\n51,smith,yes\n28,?,no\n" * 8
    (tmp_path / name).write_text(table, encoding="utf-8")
    assert client.upload(table.encode(), X_File_Name=quote(name))[0] == 200
    more = {**PRICE, "max_cardinality": "2"}
    assert client.start({**MINE, "label": "ill", "options": more})[0] == 200
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
    assert "ok     problem: the same as is stated" in done.stdout


def test_constraints_between_groups(served, tmp_path):
    client, demanded = Client(served), {"constraints": "statistical-parity by sex, age within 0.2"}
    client.start(with_options(**demanded))
    assert client.events()[-1]["phase"] == "done"
    _, model = client.get("model")
    kept = json.loads(model)["certificate"]["constraints"]
    assert {one["column"] for one in kept} == {"sex, age"} and len(kept) == 6
    (tmp_path / "model.json").write_bytes(model)
    check = [*CORELS, "check", "model.json", "--dataset", "titanic"]
    done = subprocess.run(check, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    client.start({**TITANIC, "solver": "falling", "options": demanded})
    assert "takes no constraints" in client.events()[-1]["error"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_a_service_manager_end_it_also_while_a_search_runs(tmp_path, how):
    own = Served(cwd=tmp_path)
    client = Client(own)
    assert client.start(SLOW)[0] == 200
    assert own.close(how) == 0
    own.reader.join(10)
    assert own.errors == ENDED


def test_a_port_in_use_is_one_sentence(served):
    done = subprocess.run(
        [*CORELS, "serve", "--port", str(served.port)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"port {served.port} cannot be used" in done.stderr
