#!/usr/bin/env python3
"""Writes the C file that asserts every fact of the public headers that a compiled host depends on: offset, size and type of
each struct member, sizes, absence of tail padding, values of constants, types of functions.

usage: layout.py ROOT > tests/abi/layout.c
       layout.py ROOT linalg > tests/abi/linalg_layout.c      only the names of dem/linalg.h: dem_linalg..., DEM_LINALG_...

Meant for the time before a version is tagged. Later the file only gains lines, so look at the difference."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
INCLUDE = ROOT / "include"
PART = sys.argv[2] if len(sys.argv) > 2 else ""
HEADERS = [f"dem/{PART}.h"] if PART else ["dem/dem.h", *(str(p.relative_to(INCLUDE)) for p in sorted((INCLUDE / "dem/plugin").glob("*.h")))]
PRELUDE = "".join(f"#include <{name}>\n" for name in HEADERS)
# Meant to change with every version.
MOVING = ("DEM_VERSION_", "DEM_STATUS_LAST")


def is_meant(name):
    return name.lower().startswith(f"dem_{PART}_" if PART else "dem_")


def preprocessed():
    """The declarations of our own headers, without those of the system's, in one line."""
    text = subprocess.run(["cc", "-E", "-I", INCLUDE, "-x", "c", "-"], input=PRELUDE, text=True, check=True, stdout=subprocess.PIPE).stdout
    ours, lines = False, []
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = marker[1].startswith(str(INCLUDE))
        elif ours:
            lines.append(line)
    return re.sub(r"\s+", " ", " ".join(lines))


def member(declaration):
    """Name, and type as an expression of it has it: arrays have become pointers."""
    pointer = re.match(r"(.*\(\*)(\w+)(\)\(.*\))$", declaration)
    if pointer:
        return pointer[2], pointer[1] + pointer[3]
    last = re.search(r"(\w+)\s*((?:\[[^]]*\])*)$", declaration)
    name, arrays = last[1], re.findall(r"\[[^]]*\]", last[2])
    kind = declaration[: last.start()].strip()
    if len(arrays) > 1:
        return name, f"{kind} (*){''.join(arrays[1:])}"
    return name, kind + ("*" if arrays and kind.endswith("*") else " *" if arrays else "")


def structs(text):
    for name, body in re.findall(r"typedef struct (\w+) \{([^}]*)\}", text):
        yield name, [member(d.strip()) for d in body.split(";") if d.strip()]


def constants(text):
    for body in re.findall(r"enum \{([^}]*)\}", text):
        yield from re.findall(r"\b(DEM_\w+) =", body)
    for path in sorted((INCLUDE / "dem").rglob("*.h")):
        yield from re.findall(r"^#define (DEM_\w+) \d+u?\b", path.read_text(), re.M)


def measure(expressions):
    """Values of integer constant expressions, asked of the compiler."""
    code = PRELUDE + "#include <stdio.h>\nint main(void) {\n"
    code += "".join(f'  printf("%lld\\n", (long long)({e}));\n' for e in expressions) + "}\n"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "measure")
        subprocess.run(["cc", "-I", INCLUDE, "-x", "c", "-", "-o", program], input=code, text=True, check=True)
        return subprocess.run([program], text=True, check=True, stdout=subprocess.PIPE).stdout.split()


HEAD = """\
/* What a program compiled against version 0.1 relies on, as compile-time assertions: they need no tool and hold for every
 * compiler. Made by tools/layout.py. Once the version is tagged, lines are added, never changed; only the NO_PADDING line of
 * a struct that grows is given its new last member. */
/* clang-format off */
%s
#define SAME_TYPE(expression, ...) _Generic((expression), __VA_ARGS__: 1, default: 0)
#define MEMBER(type, name, offset, size, ...)                                                     \\
  _Static_assert(offsetof(type, name) == (offset), #type "." #name " moved");                     \\
  _Static_assert(sizeof(((type *)0)->name) == (size), #type "." #name " changed its size");       \\
  _Static_assert(SAME_TYPE(((type *)0)->name, __VA_ARGS__), #type "." #name " changed its type")
#define AT_LEAST(type, size) _Static_assert(sizeof(type) >= (size), #type " shrank")
#define EXACTLY(type, size) _Static_assert(sizeof(type) == (size), #type " changed its size")
/* A member that later fills the padding would be read as garbage from old callers. */
#define NO_PADDING(type, last) \\
  _Static_assert(sizeof(type) == offsetof(type, last) + sizeof(((type *)0)->last), #type " has padding at its end")
#define VALUE(name, value) _Static_assert((name) == (value), #name " was renumbered")
#define POINTER(name, ...) _Static_assert(SAME_TYPE((name)0, __VA_ARGS__), #name " changed its type")
#define FUNCTION(name, ...) _Static_assert(SAME_TYPE(&name, __VA_ARGS__), #name " changed its type")

"""


def main():
    text = preprocessed()
    print(HEAD % PRELUDE.rstrip())
    # elements of arrays that a call takes together with their size
    growing = set(re.findall(r"\b(dem_\w+) \*\w+, uint32_t struct_size", text))
    for name, members in structs(text):
        if not is_meant(name):
            continue
        values = iter(measure([e for m, _ in members for e in (f"offsetof({name}, {m})", f"sizeof((({name} *)0)->{m})")]))
        print("#if UINTPTR_MAX == 0xffffffffffffffffu")
        for m, kind in members:
            print(f"MEMBER({name}, {m}, {next(values)}, {next(values)}, {kind});")
        stamped = members[0][0] == "struct_size"
        print(f"{'AT_LEAST' if stamped or name in growing else 'EXACTLY'}({name}, {measure([f'sizeof({name})'])[0]});\n#endif")
        print(f"NO_PADDING({name}, {members[-1][0]});\n")
    names = [c for c in dict.fromkeys(constants(text)) if is_meant(c) and not c.startswith(MOVING)]
    for name, value in zip(names, measure(names)):
        print(f"VALUE({name}, {value});")
    print()
    for result, name, arguments in re.findall(r"typedef ([\w *]+)\(\*(\w+)\)(\([^;]*\));", text):
        if is_meant(name):
            print(f"POINTER({name}, {result}(*){arguments});")
    print()
    for result, name, arguments in re.findall(r'__attribute__\(\(visibility\("default"\)\)\) ([^;]*?)(dem_\w+)(\([^;]*\));', text):
        if is_meant(name):
            print(f"FUNCTION({name}, {result}(*){arguments});")
    print("\nint main(void) { return 0; }")


if __name__ == "__main__":
    main()
