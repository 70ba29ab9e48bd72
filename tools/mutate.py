#!/usr/bin/env python3
"""Tests the tests: changes lib/ a little, one place at a time, builds, runs the fast suites and lists what no test noticed.

usage: mutate.py [--seed N] [--count N] [--only FOLDER] [--list]     N changes drawn from a seed; by default 200 of seed 1
       mutate.py --at FILE:LINE:KIND [--at ...] [--list]             these, such as lib/ledger/ledger.c:20:sign

  --equivalent FILE  changes that were judged to change nothing that is promised, with reasons; default: mutate_equivalent.txt
  --from N           begins with the Nth of the changes drawn: to go on with a run that was stopped
  --jobs N           compilers, and tests, at one time; default: 2
  --quick            leaves out the sanitizers and the tests that took two seconds or more in an earlier run: what survives is
                     only suspected, and wants another run with --at
  --list             says what would be changed, and changes nothing

The kinds are in mutations.py. All of it happens in a copy of the tree, build/mutate/tree, that is built in build/mutate/plain; a
test that takes far more processor time than on the unchanged copy has noticed. What passes there is tried once more in build/mutate/sanitized:
the quick tests with the sanitizers, as .ci/run does with all. The exit status is 0 if nothing survived.

A judged change is a block of the file of equivalents, found again by file and lines, wherever in the file they have moved:

    lib/ledger/ledger.c
    - the line as it is
    + the line changed
    Why no test can notice, or need not."""
import argparse
import collections
import fcntl
import functools
import hashlib
import json
import math
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
TREE = PLACE / "tree"
SUITES = {"unit", "property", "conformance", "fault"}
# Plain loops: compile in seconds and compute the same bits. No debug information, which would make
# objects differ in line numbers alone.
PLAIN = ("-Dsimd=base", "-Doptimization=2", "-Ddebug=false", "-Ddefault_library=static")
SANITIZED = (*PLAIN, "-Doptimization=1", "-Db_sanitize=address,undefined", "-Db_lundef=false")
TOGETHER = 8  # test programs that are linked and run at a time
QUICK = 2.0  # seconds of processor time without sanitizers
WAIT = 20  # seconds of waiting that a second of processor time may take on a busy machine, before a test counts as stuck
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
    """Returns a digest of what the library and its tests are made of."""
    names, digest = sorted(tracked(ROOT)), hashlib.sha256()
    for old in TREE.rglob("*"):
        if old.is_file() and str(old.relative_to(TREE)) not in names:
            old.unlink()
    for name in names:
        data = (ROOT / name).read_bytes()
        if name.split("/")[0] in ("lib", "include", "tests"):
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
    """One folder in which the copy is built, and its tests but those left out by name."""

    def __init__(self, folder, meson, options, jobs, left_out):
        self.folder, self.jobs, self.sanitized = folder, jobs, options is SANITIZED
        if not (folder / "build.ninja").exists():
            must(meson, "setup", *options, folder, TREE)
        must("ninja", "-C", folder, "build.ninja")
        targets = json.loads(must(meson, "introspect", "--targets", folder))
        programs = {t["id"]: os.path.relpath(t["filename"][0], folder) for t in targets}
        known = json.loads(must(meson, "introspect", "--tests", folder))
        fast = [t for t in known if SUITES & {suite.split(":")[-1] for suite in t["suite"]}]
        self.tests = [t for t in fast if t["name"] not in left_out]
        self.programs = {t["name"]: sorted({programs[d] for d in t["depends"]}) for t in self.tests}
        self.archives = sorted(name for name in programs.values() if name.startswith("lib/") and name.endswith(".a"))
        refused = self.make(self.archives) or self.make_tests(self.tests)
        if refused:
            sys.exit(f"the unchanged tree does not build:\n{refused[-4000:]}")

    def make(self, targets):
        """What the compiler says if it refuses, otherwise nothing."""
        done = run("ninja", "-C", self.folder, f"-j{self.jobs}", *targets)
        return done.stdout if done.returncode else ""

    def make_tests(self, tests):
        return self.make(sorted({program for test in tests for program in self.programs[test["name"]]}))

    def objects(self):
        return {path: hashlib.sha256(path.read_bytes()).digest() for path in (self.folder / "lib").rglob("*.o")}


# ---- running tests ----


def set_limits(sanitized, seconds):
    """A change may ask for all memory, fill the disk or never end. The address sanitizer reserves more memory than there is.
    Processor time, of all threads of a process, does not depend on what else the machine does; waiting is limited elsewhere."""
    most = {resource.RLIMIT_FSIZE: 1 << 30, resource.RLIMIT_CORE: 0, resource.RLIMIT_CPU: math.ceil(seconds)}
    if not sanitized:
        most[resource.RLIMIT_AS] = 16 << 30
    for limit, value in most.items():
        resource.setrlimit(limit, (value, value))


def environment(test):
    scratch = PLACE / "scratch"
    scratch.mkdir(exist_ok=True)
    return {**os.environ, "LOCPATH": str(ROOT / "build/locale"), "TMPDIR": str(scratch), **test["env"]}


class Running:
    """A test that was started; `limit`: seconds of processor time it may take."""

    def __init__(self, build, test, limit):
        self.name, self.limit, self.begin = test["name"], limit, time.monotonic()
        self.process = subprocess.Popen(
            test["cmd"], cwd=build.folder, env=environment(test), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=functools.partial(set_limits, build.sanitized, limit))
        self.status, self.seconds = None, 0.0

    def poll(self):
        """The status when it has ended; `seconds` is then its processor time, and that of processes it started."""
        if self.status is None:
            ended, status, used = os.wait4(self.process.pid, os.WNOHANG)
            if ended:
                self.status, self.seconds = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
                self.process.returncode = self.status
        return self.status

    def verdict(self):
        """None while it runs, then '' if it passed, otherwise why not."""
        status = self.poll()
        if status is None:
            return f"{self.name}, which did not end" if time.monotonic() - self.begin > WAIT * self.limit else None
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            return f"{self.name}, which did not end"
        return "" if status in (0, 77) else self.name  # 77: skipped

    def kill(self):
        if self.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def first_failure(build, tests, times=None):
    """Runs tests, each with its limit, until one fails; '' if none does. Notes the processor time of each in `times`."""
    waiting, running = collections.deque(tests), []
    try:
        while waiting or running:
            while waiting and len(running) < build.jobs:
                running.append(Running(build, *waiting.popleft()))
            time.sleep(0.01)
            for one in list(running):
                verdict = one.verdict()
                if verdict:
                    return verdict
                if verdict == "":
                    running.remove(one)
                    if times is not None:
                        times[one.name] = one.seconds
        return ""
    finally:
        for one in running:
            one.kill()


def kept_times(folder):
    """`seconds` of the tests of one `tree`, that passed there; `earlier`: of any tree."""
    path = folder / "processor_times.json"
    return json.loads(path.read_text()) if path.exists() else {"tree": "", "seconds": {}, "earlier": {}}


def measured(build, digest):
    """Tests with the seconds they take. The times of an unchanged tree are kept for the next call."""
    known = kept_times(build.folder)
    seconds = known["seconds"] if known["tree"] == digest else {}
    new = [test for test in build.tests if test["name"] not in seconds]
    if new:
        print(f"running {len(new)} tests on the unchanged tree, {build.folder.name}", flush=True)
        failed = first_failure(build, [(test, 1200) for test in new], seconds)
        if failed:
            sys.exit(f"the unchanged tree fails: {failed}")
        known = {"tree": digest, "seconds": seconds, "earlier": {**known["earlier"], **seconds}}
        (build.folder / "processor_times.json").write_text(json.dumps(known))
    return [(test, seconds[test["name"]]) for test in build.tests]


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
        return list(draw(all_mutations(options.only), options.seed, options.count))[options.first - 1:]
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
    """`stages`: a build and its tests each, the quicker first."""

    def __init__(self, stages, equivalents):
        self.stages, self.equivalents, self.unchanged = stages, equivalents, stages[0][0].objects()
        self.kept, self.caught = None, collections.Counter()

    def in_order(self, tests, folder):
        """The fastest first, and sooner those that have caught changes in this folder; with limits of processor time."""
        tests = sorted(tests, key=lambda test: test[1] / (1 + self.caught[folder, test[0]["name"]]))
        return [(test, 10 + 5 * seconds) for test, seconds in tests]

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
        for build, tests in self.stages:
            if build.make(build.archives):
                return BROKEN, ""
            if not build.sanitized and build.objects() == self.unchanged:
                return SAME, ""
            folder = os.path.dirname(mutation.path)
            failed = self.first_failure(build, self.in_order(tests, folder))
            if failed:
                self.caught[folder, failed.split(",")[0]] += 1
                return CAUGHT, f"by {failed}{' with sanitizers' if build.sanitized else ''}"
        return SURVIVED, ""

    def first_failure(self, build, tests):
        """Most changes are noticed by one of the first tests: the programs of the others are not even linked."""
        for first in range(0, len(tests), TOGETHER):
            some = tests[first:first + TOGETHER]
            if build.make_tests([test for test, _ in some]):
                return f"{some[0][0]['name']} and others, which do not link"
            failed = first_failure(build, some)
            if failed:
                return failed
        return ""


# ---- the report ----


def lines_of(mutation):
    text = (ROOT / mutation.path).read_text()
    return mutations.difference(text, mutation.of(text))


def table(counts):
    rows = [f"{counts[result]:5d} {result}" for result in (CAUGHT, SURVIVED, JUDGED, SAME, BROKEN)]
    counted = counts[CAUGHT] + counts[SURVIVED] + counts[JUDGED]
    known = counts[CAUGHT] + counts[JUDGED]
    percent = 100 * known / counted if counted else 100
    return "\n".join([*rows, f"{percent:.1f} % of the {counted} that compile to something else are caught or judged"])


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


def lock():
    """Two runs at a time would change one copy. Held until the program ends."""
    file = open(PLACE / "lock", "w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit(f"another run works in {PLACE}")
    return file


def stages(jobs, only_quick):
    meson = "/usr/bin/meson" if os.path.exists("/usr/bin/meson") else "meson"
    digest = copy_tree()
    slow = {name for name, seconds in kept_times(PLACE / "plain")["earlier"].items() if seconds >= QUICK}
    plain = Build(PLACE / "plain", meson, PLAIN, jobs, slow if only_quick else ())
    tests = measured(plain, digest)
    if only_quick:
        return [(plain, tests)]
    sanitized = Build(PLACE / "sanitized", meson, SANITIZED, jobs, {test["name"] for test, seconds in tests if seconds >= QUICK})
    return [(plain, tests), (sanitized, measured(sanitized, digest))]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", default="lib/", metavar="FOLDER")
    parser.add_argument("--at", action="append", metavar="FILE:LINE:KIND")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--equivalent", type=pathlib.Path, default=ROOT / "tools/mutate_equivalent.txt", metavar="FILE")
    return parser.parse_args()


def main():
    options = arguments()
    found, equivalents = chosen(options), judged(options.equivalent)
    if options.list:
        for m in found:
            print("\n".join([m.place, *lines_of(m)]))
        return 0
    PLACE.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the tests that run are ended
    with lock():
        return try_all(found, Trial(stages(options.jobs, options.quick), equivalents))


if __name__ == "__main__":
    sys.exit(main())
