# SPDX-License-Identifier: BSD-3-Clause
"""Chromium that opens pages by file://."""
import time

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

DESKTOP, PHONE = (1400, 1000), (390, 844)
SECONDS = 20


class Browser:
    def __init__(self, site):
        self.site = site.resolve()
        options = Options()
        # Root needs --no-sandbox.
        for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, page, size=DESKTOP):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE})
        self.driver.get(f"{self.site.as_uri()}/{page}")

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}]

    def run(self, script, *arguments):
        return self.driver.execute_script(f"return {script}", *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def visible(self, selector):
        return [each for each in self.all(selector) if each.is_displayed()]

    def hover_and_click(self, selector):
        element = self.all(selector)[0]
        ActionChains(self.driver).move_to_element(element).pause(0.5).click(element).perform()

    def overflow(self):
        return self.run("document.documentElement.scrollWidth - window.innerWidth")

    def wait(self, condition):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            value = condition()
            if value:
                return value
            time.sleep(0.05)
        return None
