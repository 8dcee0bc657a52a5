"""Photographs of the page for the README and the guides: `python docs/screenshots.py`.

Needs the extra `page`, selenium, Pillow, and a Chromium with its chromedriver. Each picture is
taken in light and in dark, and is as large as the others: the rules of a report (titanic, with an
answered form), and the chart and the list of a search of `corels serve` after SECONDS of work,
which looks a little different each time. The window is as narrow as a telephone, so that the text
can be read where a page shows the picture small.
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
WIDTH, HEIGHT, SCALE, SECONDS = 480, 620, 1.5, 6
ANSWERS = {"sex": "Male", "age": "Adult", "class": "not 3rd"}


def browser():
    """Headless Chromium with a window as wide as a picture."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
    found = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    size = {"width": WIDTH, "height": 900, "deviceScaleFactor": SCALE, "mobile": False}
    found.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    return found


def photograph(page, name, first):
    """HEIGHT pixels from the top of an element on, in light and in dark, in 64 colours."""
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        time.sleep(0.3)
        top = page.execute_script(
            "return document.querySelector(arguments[0]).getBoundingClientRect().top + scrollY",
            first,
        )
        clip = {"x": 0, "y": top - 8, "width": WIDTH, "height": HEIGHT, "scale": 1}
        taken = page.execute_cdp_cmd(
            "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
        )
        picture = Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB")
        file = PLACE / f"{name}-{scheme}.png"
        picture.quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)
        print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")


def report(page, place):
    """The rules, and which of them decides a case."""
    model, file = str(place / "model.json"), place / "titanic.html"
    learn = ("run", "--dataset", "titanic", "--max-cardinality", "2", "--regularization", "0.003")
    subprocess.run([*CORELS, *learn, "--quiet", "--output", model], check=True)
    show = ("report", model, "--dataset", "titanic", "--output", str(file))
    subprocess.run([*CORELS, *show], check=True)
    page.get(file.as_uri())
    for line in page.find_elements("css selector", "#case-form p"):
        named = line.find_elements("tag name", "label")
        if named:
            Select(line.find_element("tag name", "select")).select_by_visible_text(
                ANSWERS[named[0].text]
            )
    photograph(page, "page", ".rules")


def search(page):
    """A search that is not done yet."""
    server = subprocess.Popen([*CORELS, "serve"], stdout=subprocess.PIPE, text=True)
    try:
        page.get(server.stdout.readline().strip())
        WebDriverWait(page, 60).until(lambda _: page.find_element("id", "start").is_enabled())
        Select(page.find_element("id", "dataset")).select_by_value("heart")
        loaded = page.find_element("id", "loaded")
        WebDriverWait(page, 60).until(lambda _: loaded.text.startswith("heart"))
        page.execute_script("document.querySelector('[data-name=max_cardinality]').value = '2'")
        page.find_element("id", "start").click()
        seconds = page.find_element("id", "live-seconds")
        WebDriverWait(page, 60).until(lambda _: seconds.text not in ("", "-"))
        WebDriverWait(page, 60).until(lambda _: float(seconds.text) > SECONDS)
        page.execute_script("document.querySelector('.steer').style.position = 'static'")
        photograph(page, "serve", "#live-chart")
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
