#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pages.py OUTPUT copies the Markdown; linked programs and folders become pages."""
import pathlib
import re
import shutil
import sys
import tomllib

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
CODE = re.compile(r"(^ *```.*?^ *```$|`[^`\n]*`)", re.M | re.S)
LINK = re.compile(r"(\]\()([^)#:\s]+)(?=[)#])")
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".h": "cpp", ".c": "c", ".py": "python", ".txt": "cmake"}

ORPHAN = "---\norphan: true\n---\n"


def code(path):
    return f"````{LANGUAGES.get(path.suffix, 'text')}\n{path.read_text()}````\n"


def documents():
    folders = ("", "data/", "docs/**/", "examples/**/", "packaging/**/")
    paths = [path for folder in folders for path in sorted(ROOT.glob(folder + "*.md"))]
    return [path for path in paths if path != ROOT / "docs/status.md"]  # of work in progress


def name_of(path):
    place = path.relative_to(ROOT)
    if place == pathlib.Path("README.md"):
        return pathlib.Path("index.md")
    if path.is_dir():
        return place / ("README.md" if (path / "README.md").exists() else "index.md")
    if path.suffix in {".hpp", ".h"}:
        return pathlib.Path(f"reference/header/{str(place).rpartition('.')[0].replace('/', '-')}.rst")
    return place if path.suffix in {".md", ".png", ".svg"} else place.with_name(place.name + ".md")


def up(page):
    return "../" * (len(page.parts) - 1)


class Site:
    def __init__(self, output):
        self.output = output
        self.linked = set()
        self.documents = documents()
        self.pages = {name_of(path) for path in self.documents}
        self.listed = {pathlib.Path("index.md")}

    def write(self, page, text):
        (self.output / page).parent.mkdir(parents=True, exist_ok=True)
        (self.output / page).write_text(text)

    def add_document(self, path):
        page = name_of(path)

        def follow(link):
            target = (path.parent / link[2]).resolve()
            if not target.exists():
                sys.exit(f"{path.relative_to(ROOT)}: the target of the link {link[2]} does not exist")
            if target.suffix not in {".md", ".png", ".svg", ".hpp", ".h"}:
                self.linked.add(target)
            elif target.suffix == ".md" and name_of(target) not in self.pages:
                sys.exit(f"{path.relative_to(ROOT)}: {link[2]} is not among the documents of the site")
            return link[1] + up(page) + str(name_of(target))

        parts = CODE.split(path.read_text())
        self.write(page, "".join(part if number % 2 else LINK.sub(follow, part) for number, part in enumerate(parts)))

    def add_folder(self, folder):
        page = name_of(folder)
        title = str(folder.relative_to(ROOT))
        if page.name == "README.md":
            return
        if inside := {name_of(path) for path in folder.glob("*.md")}:
            self.listed |= inside
            self.write(page, f"# Pages of {title}\n\n```{{toctree}}\n:glob:\n:maxdepth: 1\n\n*\n```\n")
            return
        files = sorted(each for each in folder.rglob("*") if each.suffix in LANGUAGES)
        self.write(page, ORPHAN + f"# Files of {title}\n\n" + "\n".join(
            f"## {each.relative_to(folder)}\n\n{code(each)}" for each in files))

    def add_source(self, path):
        self.write(name_of(path), ORPHAN + f"# {path.relative_to(ROOT)}\n\n{code(path)}")

    def add_contents(self):
        contents = tomllib.loads((HERE / "contents.toml").read_text())
        for part in contents["part"]:
            self.tree("index.md", part["pages"], f":caption: {part['caption']}\n")
        for parent, pages in contents["below"].items():
            self.tree(parent, pages, "")
        if absent := self.pages - self.listed:
            sys.exit(f"contents.toml lacks {', '.join(sorted(map(str, absent)))}")

    def tree(self, parent, pages, options):
        names = [str(page.relative_to(self.output)) for pattern in pages
                 for page in sorted(self.output.glob(pattern)) or sys.exit(f"contents.toml: no page {pattern}")]
        self.listed |= set(map(pathlib.Path, names))
        with (self.output / parent).open("a") as page:
            page.write(f"\n```{{toctree}}\n:hidden:\n{options}\n" + "".join(f"/{name}\n" for name in names) + "```\n")


def main():
    site = Site(pathlib.Path(sys.argv[1]))
    for path in site.documents:
        site.add_document(path)
    shutil.copytree(ROOT / "docs/pictures", site.output / "docs/pictures")
    for each in sorted(site.linked):
        (site.add_folder if each.is_dir() else site.add_source)(each)
    site.add_contents()


if __name__ == "__main__":
    main()
