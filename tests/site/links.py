#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""links.py SITE prints dead links."""
import html.parser
import pathlib
import sys
import urllib.parse

OF_TAG = {"a": "href", "link": "href", "img": "src", "script": "src", "form": "action"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors.update(filter(None, (given.get("id"), given.get("name") if tag == "a" else None)))
        link = given.get(OF_TAG.get(tag))
        if link:
            self.links.append(link)


def dead_links(site):
    """[(page, link)], and the number of links."""
    site = site.resolve()
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    dead, count = [], 0
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.netloc or parts.scheme not in {"", "file"}:
                continue
            count += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            found = target.is_file() and target.is_relative_to(site)
            if not found or (anchor and target in pages and anchor not in pages[target].anchors):
                dead.append((path.relative_to(site), link))
    return dead, count


def main():
    dead, count = dead_links(pathlib.Path(sys.argv[1]))
    for page, link in dead:
        print(f"{page}: dead link {link}")
    print(f"{count} links, {len(dead)} of them dead")
    return bool(dead) or count == 0


if __name__ == "__main__":
    sys.exit(main())
