#!/usr/bin/env python3
"""Checks that programs printed in the documents are, character for character, the ones that the tests compile, and that
every link from a document to another file of the tree, or to a heading of a document, leads somewhere. Also that every file of
the tree and every name of the library (dem_..., demi_..., DEM_...) in a document exists, that lines have at most 140 columns, and
that the architecture page names every layer.

A printed program is a ```c block right after a line  <!-- source: PATH -->  with PATH from the root of the tree.

usage: check_doc.py [--update] [ROOT]     --update rewrites the blocks from their sources"""
import argparse
import pathlib
import re
import sys

BLOCK = re.compile(r"(<!-- source: (\S+) -->\n```c\n)(.*?)(^```$)", re.S | re.M)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)

NAMED = re.compile(r"(?<![\w./-])((?:lib|include|tests|tools|examples|bench|fuzz|doc)/[\w./-]*\w)")
IN_LIB = re.compile(r"(?<![\w./-])([a-z]+/\w+\.[ch])\b")
OF_OTHERS = {"lib/x86_64-linux-gnu", "dem_noun_verb"}  # not of this tree
IDENTIFIER = re.compile(r"\b(?:demi?|DEMI?)_\w*[a-zA-Z0-9]\b(?!_|\.\.\.)")
COLUMNS = 140

# Documents that must print a program.
PRINTING = ["README.md", "doc/embedding.md", "doc/integrators.md", "doc/laws/writing-your-own.md"]


def wrong_blocks(root, page, text):
    blocks = BLOCK.findall(text)
    if not blocks and str(page.relative_to(root)) in PRINTING:
        yield f"{page.relative_to(root)}: prints no program"
    for _, source, printed, _ in blocks:
        if (root / source).read_text() != printed:
            yield f"{page.relative_to(root)}: the block is not {source}; check_doc.py --update rewrites it"


def anchors(page):
    """The names that a heading is linked by: lower case, blanks as hyphens, without other punctuation."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in headings}


def broken_links(root, page, text):
    for target, anchor in LINK.findall(FENCED.sub("", text)):
        if target.startswith(("http:", "https:")):
            continue
        aim = page.parent / target if target else page
        if not aim.exists():
            yield f"{page.relative_to(root)}: link to {target} leads nowhere"
        elif anchor and aim.suffix == ".md" and anchor not in anchors(aim):
            yield f"{page.relative_to(root)}: {aim.name} has no heading {anchor}"


def missing_files(root, page, text):
    inside = IN_LIB.findall(text) if page.name == "one-step.md" else []
    names = [name for name in NAMED.findall(text) if not re.search(r"[A-Z]{3}", name) and name not in OF_OTHERS]
    for name in sorted({*names, *(f"lib/{name}" for name in inside)}):
        if not (root / name).exists():
            yield f"{page.relative_to(root)}: {name} does not exist"


def words_of(root):
    folders = ("include", "lib", "bench", "tests", "examples", "tools")
    files = [f for folder in folders for f in (root / folder).rglob("*.*") if f.suffix in (".h", ".c", ".map", ".py")]
    files += [root / "CMakeLists.txt", root / "meson.build"]
    return {word for f in files for word in re.findall(r"\w+", f.read_text())}


def unknown_names(root, pages):
    words = words_of(root)
    for page in pages:
        text = LINK.sub("", page.read_text())
        for name in sorted(set(IDENTIFIER.findall(text)) - words - OF_OTHERS):
            yield f"{page.relative_to(root)}: the sources have no {name}"


def long_lines(root, page, text):
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > COLUMNS:
            yield f"{page.relative_to(root)}:{number}: {len(line)} columns, at most {COLUMNS}"


def unnamed_layers(root):
    text = (root / "doc/architecture.md").read_text()
    for layer in re.findall(r"^  '(\w+)': \[", (root / "lib/meson.build").read_text(), re.M):
        if f"`{layer}`" not in text:
            yield f"doc/architecture.md: no layer {layer}"


def update(root, page):
    text = page.read_text()
    fresh = BLOCK.sub(lambda m: m.group(1) + (root / m.group(2)).read_text() + m.group(4), text)
    if fresh != text:
        page.write_text(fresh)
        print(f"updated {page.relative_to(root)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--update", action="store_true")
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    pages = [root / "README.md", root / "CONTRIBUTING.md", root / "fuzz/README.md", *sorted((root / "doc").rglob("*.md"))]
    if arguments.update:
        for page in pages:
            update(root, page)
    checks = (wrong_blocks, broken_links, missing_files, long_lines)
    problems = [p for page in pages for check in checks for p in check(root, page, page.read_text())]
    problems += [*unnamed_layers(root), *unknown_names(root, pages)]
    print("\n".join(problems) if problems else f"{len(pages)} documents agree with the sources")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
