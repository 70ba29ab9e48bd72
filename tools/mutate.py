#!/usr/bin/env python3
"""Tests the tests: makes small changes to lib/ one at a time, builds, runs the fast suites and lists the changes that no test noticed.

usage: mutate.py [--seed N] [--count N] [--only FOLDER] [--list]     N changes drawn from a seed; by default 200 of seed 1
       mutate.py --at FILE:LINE:KIND [--at ...] [--list]             these, such as lib/ledger/ledger.c:20:sign

  --equivalent FILE  changes that were judged to change nothing that is promised, with reasons; default: mutate_equivalent.txt
  --jobs N           compilers, and tests, at one time; default: 2
  --list             says what would be changed, and changes nothing

The kinds are in mutations.py. All of it happens in a copy of the tree, build/mutate/tree, that is built in build/mutate/out; a
test that takes far longer than on the unchanged copy has noticed. The exit status is 0 if nothing survived.

A judged change is a block of the file of equivalents, found again by file and lines, wherever in the file they have moved:

    lib/ledger/ledger.c
    - the line as it is
    + the line changed
    Why no test can notice, or need not."""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

import mutations

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = ROOT / "build/mutate"
TREE, OUT = PLACE / "tree", PLACE / "out"
SUITES = {"unit", "property", "conformance"}
# Plain loops, little optimisation: compiles in seconds and computes the same bits. No debug information, which would make
# objects differ in line numbers alone.
OPTIONS = ("-Dsimd=base", "-Doptimization=1", "-Ddebug=false", "-Ddefault_library=static")
CAUGHT, SURVIVED, BROKEN, SAME, JUDGED = "caught", "survived", "did not compile", "same machine code", "judged equivalent"


# ---- the copy of the tree ----


def tracked(root):
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE).stdout.decode().split("\0")
    return {name for name in names if name and (root / name).is_file()}


def write_if_other(path, data):
    """The build goes by the time of a file, so one that has not changed is not touched."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy_tree():
    """Returns a digest of everything copied."""
    names, digest = sorted(tracked(ROOT)), hashlib.sha256()
    for old in TREE.rglob("*"):
        if old.is_file() and str(old.relative_to(TREE)) not in names:
            old.unlink()
    for name in names:
        data = (ROOT / name).read_bytes()
        digest.update(name.encode() + b"\0" + data)
        write_if_other(TREE / name, data)
        shutil.copymode(ROOT / name, TREE / name)
    return digest.hexdigest()


# ---- building ----


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def must(*command):
    done = run(*command)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")
    return done.stdout


class Build:
    def __init__(self, meson, jobs):
        if not (OUT / "build.ninja").exists():
            must(meson, "setup", *OPTIONS, OUT, TREE)
        self.jobs = jobs
        must("ninja", "-C", OUT, "build.ninja")
        programs = {t["id"]: os.path.relpath(t["filename"][0], OUT) for t in json.loads(must(meson, "introspect", "--targets", OUT))}
        known = json.loads(must(meson, "introspect", "--tests", OUT))
        self.tests = [t for t in known if SUITES & {suite.split(":")[-1] for suite in t["suite"]}]
        self.targets = sorted({programs[d] for t in self.tests for d in t["depends"]})

    def make(self):
        """What the compiler says if it refuses, otherwise nothing."""
        done = run("ninja", "-C", OUT, f"-j{self.jobs}", *self.targets)
        return done.stdout if done.returncode else ""

    def objects(self):
        return {path: hashlib.sha256(path.read_bytes()).digest() for path in (OUT / "lib").rglob("*.o")}


# ---- running tests ----


def set_limits():
    """A change may ask for all memory or fill the disk."""
    for limit, most in ((resource.RLIMIT_AS, 16 << 30), (resource.RLIMIT_FSIZE, 1 << 30), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(limit, (most, resource.getrlimit(limit)[1]))


def environment(test):
    scratch = PLACE / "scratch"
    scratch.mkdir(exist_ok=True)
    return {**os.environ, "LOCPATH": str(ROOT / "build/locale"), "TMPDIR": str(scratch), **test["env"]}


class Running:
    """A test that was started."""

    def __init__(self, test, limit):
        self.name, self.limit, self.begin = test["name"], limit, time.monotonic()
        self.process = subprocess.Popen(test["cmd"], cwd=OUT, env=environment(test), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True)

    def seconds(self):
        return time.monotonic() - self.begin

    def verdict(self):
        """None while it runs, then '' if it passed, otherwise why not."""
        status = self.process.poll()
        if status is None:
            return f"{self.name}, which did not end" if self.seconds() > self.limit else None
        return "" if status in (0, 77) else self.name  # 77: skipped

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def first_failure(tests, jobs, times=None):
    """Runs tests, of which each brings its limit, until one fails; '' if none does. Notes how long each takes in `times`."""
    waiting, running = collections.deque(tests), []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.append(Running(*waiting.popleft()))
            time.sleep(0.01)
            for one in list(running):
                verdict = one.verdict()
                if verdict:
                    return verdict
                if verdict == "":
                    running.remove(one)
                    if times is not None:
                        times[one.name] = one.seconds()
        return ""
    finally:
        for one in running:
            one.kill()


def measured(build, digest):
    """Tests with their limits, the fastest first. The times of an unchanged tree are kept for the next call."""
    kept = PLACE / "times.json"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    if known.get("tree") != digest:
        print(f"running {len(build.tests)} tests on the unchanged tree", flush=True)
        known = {"tree": digest, "seconds": {}}
        failed = first_failure([(t, 600) for t in build.tests], build.jobs, known["seconds"])
        if failed:
            sys.exit(f"the unchanged tree fails: {failed}")
        kept.write_text(json.dumps(known))
    seconds = known["seconds"]
    return [(t, 10 + 5 * seconds[t["name"]]) for t in sorted(build.tests, key=lambda t: seconds[t["name"]])]


# ---- which changes ----


def all_mutations(only):
    paths = sorted([*ROOT.glob("lib/**/*.c"), *ROOT.glob("lib/**/*.h")])
    for path in paths:
        name = str(path.relative_to(ROOT))
        if name.startswith(only):
            yield from mutations.mutations(name, path.read_text())


def draw(found, seed, count):
    """Each kind as often as each other one: there are fifty integers for one maximum."""
    chance, groups = random.Random(seed), collections.defaultdict(list)
    for m in found:
        groups[m.kind].append(m)
    for _ in range(count):
        kinds = [kind for kind in mutations.KINDS if groups[kind]]
        if not kinds:
            return
        group = groups[chance.choice(kinds)]
        yield group.pop(chance.randrange(len(group)))


def chosen(options):
    if not options.at:
        return list(draw(all_mutations(options.only), options.seed, options.count))
    by_place = {m.place: m for m in all_mutations("lib/")}
    missing = [place for place in options.at if place not in by_place]
    if missing:
        sys.exit(f"no such change: {', '.join(missing)}")
    return [by_place[place] for place in options.at]


def signature(path, lines):
    return path, tuple(line[0] + " ".join(line[1:].split()) for line in lines)


def judged(path):
    """The signatures of judged changes. A block without a reason is refused."""
    signatures = set()
    for block in path.read_text().split("\n\n") if path.exists() else ():
        lines = [line for line in block.splitlines() if line.strip() and not line.startswith("#")]
        if not lines:
            continue
        changed = [line for line in lines[1:] if line[:2] in ("- ", "+ ")]
        if not changed or len(changed) + 1 == len(lines):
            sys.exit(f"{path}: {lines[0]}: a block has a file, its lines with - and +, and a reason")
        signatures.add(signature(lines[0].strip(), changed))
    return signatures


# ---- one change ----


class Trial:
    def __init__(self, build, tests, equivalents):
        self.build, self.tests, self.equivalents, self.unchanged = build, tests, equivalents, build.objects()
        self.kept = None

    def put(self, mutation):
        """One file of the copy at a time differs."""
        self.restore()
        path = TREE / mutation.path
        self.kept = path, path.read_bytes()
        path.write_text(mutation.of(path.read_text()))

    def restore(self):
        if self.kept:
            write_if_other(*self.kept)
            self.kept = None

    def judge(self, mutation, lines):
        if signature(mutation.path, lines) in self.equivalents:
            return JUDGED, ""
        self.put(mutation)
        if self.build.make():
            return BROKEN, ""
        if self.build.objects() == self.unchanged:
            return SAME, ""
        failed = first_failure(self.tests, self.build.jobs)
        return (CAUGHT, f"by {failed}") if failed else (SURVIVED, "")


# ---- the report ----


def lines_of(mutation):
    text = (ROOT / mutation.path).read_text()
    return mutations.difference(text, mutation.of(text))


def table(counts):
    rows = [f"{counts[result]:5d} {result}" for result in (CAUGHT, SURVIVED, JUDGED, SAME, BROKEN)]
    counted = counts[CAUGHT] + counts[SURVIVED] + counts[JUDGED]
    known = counts[CAUGHT] + counts[JUDGED]
    return "\n".join([*rows, f"{100 * known / counted if counted else 100:.1f} % of {counted} that compile to something else caught or judged"])


def try_all(found, trial):
    counts, survivors, all_lines = collections.Counter(), [], [lines_of(m) for m in found]
    for number, (mutation, lines) in enumerate(zip(found, all_lines), 1):
        begin = time.monotonic()
        result, how = trial.judge(mutation, lines)
        counts[result] += 1
        if result == SURVIVED:
            survivors.append((mutation, lines))
        print(f"[{number:3d}/{len(found)}] {result:17} {mutation.place} {how} ({time.monotonic() - begin:.1f} s)", flush=True)
    trial.restore()
    for mutation, lines in survivors:
        print("\nsurvived: " + "\n".join([mutation.place, *lines]))
    print("\n" + table(counts))
    return 1 if survivors else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", default="lib/", metavar="FOLDER")
    parser.add_argument("--at", action="append", metavar="FILE:LINE:KIND")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--equivalent", type=pathlib.Path, default=ROOT / "tools/mutate_equivalent.txt", metavar="FILE")
    return parser.parse_args()


def main():
    options = arguments()
    found, equivalents = chosen(options), judged(options.equivalent)
    if options.list:
        for m in found:
            print("\n".join([m.place, *lines_of(m)]))
        return 0
    meson = "/usr/bin/meson" if os.path.exists("/usr/bin/meson") else "meson"
    set_limits()
    PLACE.mkdir(parents=True, exist_ok=True)
    digest = copy_tree()
    build = Build(meson, options.jobs)
    refused = build.make()
    if refused:
        sys.exit(f"the unchanged tree does not build:\n{refused[-4000:]}")
    return try_all(found, Trial(build, measured(build, digest), equivalents))


if __name__ == "__main__":
    sys.exit(main())
