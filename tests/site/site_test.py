#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""site_test.py [SITE [PICTURES]] tests the site in Chromium."""
import pathlib
import re
import sys
import tempfile
import unittest

from browser import DESKTOP, PHONE, Browser
from links import dead_links

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "build/html"
PICTURES = None
PAGES = ["index.html", "docs/guide/README.html", "docs/guide/01-first-program.html", "docs/guide/16-arrays.html",
         "docs/openshmem.html", "docs/mapping.html", "docs/benchmarks.html", "docs/glossary.html",
         "docs/papers/fabric.html", "docs/decisions/index.html", "docs/developers/modules/agas.html",
         "reference/tasks.html", "reference/headers.html", "reference/task/containers.html", "reference/shmem.html",
         "reference/header/acre-container-hash-hash_map.html", "reference/header/capi-shmem-shmem.html",
         "examples/guide/01_first_program.cpp.html", "apps/kmers/index.html", "search.html", "genindex.html"]
SEARCHES = {"hash_map": "reference/header/acre-container-hash-hash_map.html", "oshcc": "docs/openshmem.html",
            "put_nbi": "reference/header/acre-global-memory-put_get.html", "shmem_long_put": "reference/shmem.html",
            "barrier": "docs/guide/07-teams-and-collectives.html", "hop-bytes": "docs/mapping.html"}


class Links(unittest.TestCase):
    def test_all_links_and_anchors_have_targets(self):
        dead, count = dead_links(SITE)
        self.assertEqual(dead, [])
        self.assertGreater(count, 10_000)

    def test_each_chapter_is_in_the_sidebar_in_order(self):
        chapters = [f"docs/guide/{path.stem}.html" for path in sorted((ROOT / "docs/guide").glob("[0-9]*.md"))]
        sidebar = re.findall(r'class="toctree-l1[^>]*><a class="reference internal" href="(docs/guide/\d[^"]*)"',
                             (SITE / "index.html").read_text())
        self.assertEqual(sidebar, chapters)

    def test_guide_has_no_hand_written_html(self):
        for path in (ROOT / "docs/guide").glob("*.md"):
            prose = re.sub(r"^```.*?^```$|`[^`]*`", "", path.read_text(), flags=re.M | re.S)
            self.assertEqual(re.findall(r"<[a-zA-Z/!][^>]*>", prose), [], path.name)

    def test_private_names_are_left_out(self):
        entries = re.findall(r'id="_CPPv4[^"]*"', "".join(
            path.read_text() for path in (SITE / "reference/header").glob("*.html")))
        self.assertGreater(len(entries), 1000)
        private = re.compile(r"N4acre(?:4agas|9container|6global|7runtime|6detail)")
        self.assertEqual([entry for entry in entries if private.search(entry)], [])


class InTheBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(SITE)

    @classmethod
    def tearDownClass(cls):
        cls.browser.driver.quit()

    def setUp(self):
        self.browser.errors()

    def tearDown(self):
        self.assertEqual(self.browser.errors(), [])

    def picture(self, name):
        if PICTURES:
            self.browser.driver.save_screenshot(str(PICTURES / f"{name}.png"))

    def test_pages_fit_desktop_and_phone(self):
        for page in PAGES:
            for name, size in {"desktop": DESKTOP, "phone": PHONE}.items():
                with self.subTest(page=page, size=name):
                    self.browser.open(page, size)
                    self.picture(f"{name}-{page.replace('/', '-').removesuffix('.html')}")
                    self.assertLessEqual(self.browser.overflow(), 0)
                    self.assertEqual(self.browser.errors(), [])

    def test_search_finds_words(self):
        for word, page in SEARCHES.items():
            with self.subTest(word=word):
                self.browser.open("index.html")
                self.browser.all(".sidebar-search")[0].send_keys(word + "\n")
                found = self.browser.wait(lambda: any(
                    page in each for each in self.browser.run(
                        "[...document.querySelectorAll('#search-results li a')].map(each => each.href)")))
                self.picture(f"search-{word}")
                self.assertTrue(found)

    def test_search_finds_no_unknown_word(self):
        self.browser.open("search.html?q=zyxwvut")
        self.assertTrue(self.browser.wait(lambda: "did not match" in self.browser.run("document.body.innerText")))
        self.assertEqual(self.browser.all("#search-results li"), [])

    def test_switch_makes_the_page_dark(self):
        self.browser.open("docs/guide/01-first-program.html")
        colours = {}
        for _ in range(3):
            self.browser.visible(".theme-toggle")[0].click()
            theme = self.browser.run("document.body.dataset.theme")
            colours[theme] = self.browser.run("getComputedStyle(document.body).backgroundColor")
            self.picture(f"theme-{theme}")
        self.assertEqual(set(colours), {"auto", "light", "dark"})
        self.assertNotEqual(colours["light"], colours["dark"])

    def test_examples_are_copied(self):
        self.browser.open("docs/guide/01-first-program.html")
        self.assertTrue(self.browser.wait(lambda: self.browser.all("button.copybtn")))
        blocks = len(self.browser.all("div.highlight pre"))
        self.assertEqual(len(self.browser.all("button.copybtn")), blocks)
        self.browser.driver.execute_script(
            "document.addEventListener('copy', () => { window.copied = document.activeElement.value; })")
        self.browser.hover_and_click("button.copybtn")
        copied = self.browser.wait(lambda: self.browser.run("window.copied"))
        self.assertEqual(copied, (ROOT / "examples/guide/01_first_program.cpp").read_text().rstrip("\n"))

    def test_menu_opens_on_a_phone(self):
        self.browser.open("docs/guide/01-first-program.html", PHONE)
        link = "document.querySelector('.sidebar-tree a').getBoundingClientRect().left"
        self.assertLess(self.browser.run(link), 0)
        self.browser.visible("label.nav-overlay-icon")[0].click()
        self.assertTrue(self.browser.wait(lambda: self.browser.run(link) >= 0))
        self.picture("phone-menu")

    def test_version_is_shown(self):
        version = re.search(r'ACRE_VERSION "(.*)"', (ROOT / "acre/base/version.hpp").read_text())[1]
        self.browser.open("index.html")
        self.assertIn(f"Version {version}", self.browser.visible(".versions")[0].text)


class FindsFaults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site = pathlib.Path(folder.name)

    def write(self, body):
        (self.site / "index.html").write_text(f"<!doctype html><link rel='icon' href='data:,'><body>{body}</body>")

    def test_dead_link(self):
        self.write("<h1 id='here'>x</h1><a href='#here'>y</a><a href='missing.html'>z</a>")
        self.assertEqual([link for _, link in dead_links(self.site)[0]], ["missing.html"])

    def test_dead_anchor(self):
        self.write("<a href='index.html#there'>y</a>")
        self.assertEqual([link for _, link in dead_links(self.site)[0]], ["index.html#there"])

    def test_console_error_and_overflow(self):
        self.write("<div style='width: 3000px'>wide</div><script>undefined_function()</script>")
        with Browser(self.site) as browser:
            browser.open("index.html", PHONE)
            self.assertIn("undefined_function", str(browser.errors()))
            self.assertGreater(browser.overflow(), 0)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        SITE = pathlib.Path(sys.argv.pop(1)).resolve()
    if len(sys.argv) > 1:
        PICTURES = pathlib.Path(sys.argv.pop(1))
        PICTURES.mkdir(parents=True, exist_ok=True)
    unittest.main()
