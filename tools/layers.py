#!/usr/bin/env python3
"""Checks the layout of lib/ that the build relies on.

- Every source is listed in its layer's meson.build, and every listed source exists.
- Header names are unique over all layers, so that a quoted #include means one file.
- No #include climbs out of its folder, and none reaches a layer that the table in lib/meson.build does not allow.

usage: layers.py ROOT"""
import pathlib
import re
import sys


# Folders that are libraries of their own beside libdem: they see its public headers and themselves.
BESIDE = ["linalg-ext"]


def allowed_layers(lib):
    rows = re.findall(r"^  '(\w+)': \[([^\]]*)\],$", (lib / "meson.build").read_text(), re.M)
    allowed = {layer: {layer, *re.findall(r"'(\w+)'", below)} for layer, below in rows}
    return {**allowed, **{name: {name} for name in BESIDE}}


def layer_of(lib, path):
    return path.relative_to(lib).parts[0]


def unlisted(lib, layers):
    for layer in layers:
        listed = set(re.findall(r"'([\w/]+\.c)'", (lib / layer / "meson.build").read_text()))
        present = {str(path.relative_to(lib / layer)) for path in (lib / layer).rglob("*.c")}
        yield from (f"lib/{layer}/{name}: not in lib/{layer}/meson.build" for name in sorted(present - listed))
        yield from (f"lib/{layer}/meson.build: {name} does not exist" for name in sorted(listed - present))


def ambiguous(headers):
    seen = {}
    for path in headers:
        if path.name in seen:
            yield f"{path}: same name as {seen[path.name]}"
        seen[path.name] = path


def wrong_includes(lib, allowed, headers):
    home = {path.name: layer_of(lib, path) for path in headers}
    for path in sorted([*lib.rglob("*.c"), *headers]):
        layer = layer_of(lib, path)
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), re.M):
            target = home.get(pathlib.PurePath(name).name)
            if ".." in name:
                yield f"{path}: \"{name}\" climbs out of its folder"
            elif target is None:
                yield f"{path}: \"{name}\" is nowhere in lib/"
            elif target not in allowed[layer]:
                yield f"{path}: \"{name}\" is of layer {target}, which {layer} must not see"


def main():
    lib = pathlib.Path(sys.argv[1]) / "lib"
    allowed = allowed_layers(lib)
    headers = sorted(lib.rglob("*.h"))
    folders = {path.name for path in lib.iterdir() if path.is_dir()}
    problems = [f"lib/{name}: in only one of the tree and lib/meson.build" for name in sorted(folders ^ set(allowed))]
    problems += [*unlisted(lib, allowed), *ambiguous(headers), *wrong_includes(lib, allowed, headers)]
    print("\n".join(problems) if problems else f"{len(allowed)} layers in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
