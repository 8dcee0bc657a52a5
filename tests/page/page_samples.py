"""Models, documents and a browser for the tests of the page."""

import json
import random
import shutil
from fractions import Fraction
from itertools import product

import pytest
from corels_rule_list.model import Rule, RuleList

from corels.model import Certificate, Stopped
from corels.tables import Antecedent, Condition

HOSTILE = (
    "</script><script>window.hit=1</script>",
    "a\"b'c`d",
    "\u202eright to left\u202c",
    "x" * 200,
    "<img src=x onerror=window.hit=1>",
    "; rm -rf $(HOME) | `id` &",
)


def hostile_list():
    """A rule list whose every name is hostile; the numbers add up."""
    conditions = [
        Condition(HOSTILE[0], "true"),
        Condition(HOSTILE[1], "<=", 30),
        Condition(HOSTILE[2], "==", HOSTILE[4]),
        Condition(HOSTILE[3], "==", "</style>"),
        Condition(HOSTILE[5], ">", 2.5),
    ]
    rules = (
        Rule(Antecedent.of(conditions[0], conditions[1]), 1, (3, 17)),
        Rule(Antecedent.of(conditions[2]), 0, (30, 2)),
        Rule(Antecedent.of(conditions[3], conditions[4]), 1, (1, 9)),
    )
    return RuleList(rules, Rule(None, 0, (35, 3)), (HOSTILE[0], HOSTILE[3]), HOSTILE[4])


def certificate():
    return Certificate(
        objective=Fraction(12, 100),
        lower_bound=Fraction(12, 100),
        stopped=Stopped.CERTIFIED,
        regularization=Fraction(1, 100),
        solver="rule-list",
    )


def many_near(count=2_000, seed=1):
    """Rows as `corels near` writes them."""
    draw = random.Random(seed)
    names = [f"column {i} = {HOSTILE[i % 6]}" for i in range(150)]
    return [
        {
            "number": n + 1,
            "objective": 0.2 + n / 1e6,
            "errors": n % 300,
            "antecedents": draw.sample(names, draw.randint(0, 4)),
            "predictions": [],
        }
        for n in range(count)
    ]


def with_predictions(rows):
    for row in rows:
        row["predictions"] = ["no", "yes", "no", "yes", "no"][: len(row["antecedents"]) + 1]
    return rows


def open_browser():
    """Headless Chromium, cut off from every network. Skips if there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.webdriver.chrome.service import Service

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("there is no Chromium with its chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    found = webdriver.Chrome(options=options, service=Service(driver))
    found.set_script_timeout(300)  # axe looks at long pages, perhaps on a busy machine
    return found


def requests(browser):
    """The addresses that were asked for since the last call."""
    messages = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    return [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]


def complaints(browser):
    """What the console says since the last call."""
    return [entry["message"] for entry in browser.get_log("browser")]


def in_colours(browser, scheme):
    """What the reader's device asks for: "light" or "dark"."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def misfits(browser):
    """What does not fit a telephone and a desk, in light and in dark: text that is wider than the
    window or than its own box, and a page that is bright in the dark."""
    found = []
    for width, scheme in product((390, 1280), ("light", "dark")):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        in_colours(browser, scheme)
        wide, bright = browser.execute_script(
            """const scrolls = (one) => one.closest(".wide, .chart, select, input, iframe, .skip");
            const wide = [...document.querySelectorAll("html, body *")].filter((one) =>
                one.scrollWidth > one.clientWidth + 1 && one.clientWidth && !scrolls(one));
            const colour = getComputedStyle(document.body).backgroundColor;
            const texts = wide.map((one) => one.outerHTML.slice(0, 80));
            return [texts, colour.match(/\\d+/g)[0] > 127];"""
        )
        found += [f"{width} {scheme} {one}" for one in wide]
        found += [f"{width} {scheme} bright: {bright}"] * (bright == (scheme == "dark"))
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return found


def faults(browser):
    """The serious faults that axe finds in what is open, in the dark those of colours."""
    axe = pytest.importorskip("axe_selenium_python", reason="axe-selenium-python is not installed")
    found = []
    colours = "{runOnly: {type: 'rule', values: ['color-contrast']}}"
    for scheme, rules in (("light", None), ("dark", colours)):
        in_colours(browser, scheme)
        looked = axe.Axe(browser)
        looked.inject()
        said = looked.run(options=rules)
        assert len(said["passes"]) > (0 if rules else 10), "axe has looked at nothing"
        found += [
            f"{scheme} {one['id']}: {one['nodes'][0]['html'][:200]}"
            for one in said["violations"]
            if one["impact"] in ("serious", "critical")
        ]
    return found
