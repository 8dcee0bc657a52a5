"""Photographs of the page for the README and the guides: `python docs/screenshots.py`.

Needs the extra `page`, selenium, Pillow, and a Chromium with its chromedriver. Each picture is
taken in light and in dark: a report (titanic, with groups and an answered form), and a search of
`corels serve` after SECONDS of work, which looks a little different each time.
"""

import base64
import io
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import Select, WebDriverWait

PLACE = Path(__file__).resolve().parent / "how-to" / "figures"
CORELS = [sys.executable, "-c", "from corels.cli import main; main()"]
WIDTH, SECONDS = 880, 6
ANSWERS = {"sex": "Male", "age": "Adult", "class": "not 3rd"}


def browser():
    """Headless Chromium with a window as wide as a picture."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
    found = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    size = {"width": WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    found.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    return found


def photograph(page, name, first, last):
    """From the top of one element to the bottom of another, in light and in dark, in 64 colours."""
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        time.sleep(0.3)
        top, bottom = page.execute_script(
            """const box = (id) => document.querySelector(id).getBoundingClientRect();
            return [box(arguments[0]).top + scrollY, box(arguments[1]).bottom + scrollY];""",
            first,
            last,
        )
        clip = {"x": 0, "y": top, "width": WIDTH, "height": bottom - top + 16, "scale": 1}
        taken = page.execute_cdp_cmd(
            "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
        )
        picture = Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB")
        file = PLACE / f"{name}-{scheme}.png"
        picture.quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)
        print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")


def report(page, place):
    """The list, its groups and a case."""
    model, file = str(place / "model.json"), place / "titanic.html"
    learn = ("run", "--dataset", "titanic", "--max-cardinality", "2", "--regularization", "0.003")
    subprocess.run([*CORELS, *learn, "--quiet", "--output", model], check=True)
    show = ("report", model, "--dataset", "titanic", "--group", "sex", "--output", str(file))
    subprocess.run([*CORELS, *show], check=True)
    page.get(file.as_uri())
    for line in page.find_elements("css selector", "#case-form p"):
        named = line.find_elements("tag name", "label")
        if named:
            Select(line.find_element("tag name", "select")).select_by_visible_text(
                ANSWERS[named[0].text]
            )
    photograph(page, "page", "body", "#case")


def search(page):
    """A search that is not done yet."""
    server = subprocess.Popen([*CORELS, "serve"], stdout=subprocess.PIPE, text=True)
    try:
        page.get(server.stdout.readline().strip())
        WebDriverWait(page, 60).until(lambda _: page.find_element("id", "start").is_enabled())
        Select(page.find_element("id", "dataset")).select_by_value("heart")
        page.execute_script("document.querySelector('[data-name=max_cardinality]').value = '2'")
        page.find_element("id", "start").click()
        seconds = page.find_element("id", "live-seconds")
        WebDriverWait(page, 60).until(lambda _: seconds.text not in ("", "-"))
        WebDriverWait(page, 60).until(lambda _: float(seconds.text) > SECONDS)
        photograph(page, "serve", "#live", "#live")
        page.find_element("id", "stop").click()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(15)


def main():
    """All pictures, into the folder of the guides."""
    page = browser()
    try:
        with tempfile.TemporaryDirectory() as place:
            report(page, Path(place))
        search(page)
    finally:
        page.quit()


if __name__ == "__main__":
    main()
