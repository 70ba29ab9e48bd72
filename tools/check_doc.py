#!/usr/bin/env python3
"""Checks that programs printed in the documents are, character for character, the ones that the tests compile, and that
every link from a document to another file of the tree, or to a heading of a document, leads somewhere.

A printed program is a ```c block right after a line  <!-- source: PATH -->  with PATH from the root of the tree.

usage: check_doc.py [--update] [ROOT]     --update rewrites the blocks from their sources"""
import argparse
import pathlib
import re
import sys

BLOCK = re.compile(r"(<!-- source: (\S+) -->\n```c\n)(.*?)(^```$)", re.S | re.M)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)

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
    pages = [root / "README.md", *sorted((root / "doc").rglob("*.md"))]
    if arguments.update:
        for page in pages:
            update(root, page)
    problems = [p for page in pages for check in (wrong_blocks, broken_links) for p in check(root, page, page.read_text())]
    print("\n".join(problems) if problems else f"{len(pages)} documents agree with the sources")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
