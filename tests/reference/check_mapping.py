#!/usr/bin/env python3
"""The table of doc/lammps.md, line by line: impacts of two spheres, of a sphere on a wall and of two discs, step by step against
LAMMPS where it is installed (Debian 12 has that of 2021).
usage: check_mapping.py MAPPING_PEER [WORD]     only the lines whose name holds WORD

Each line gives the peer's commands and the options here. Where both are the same model the states agree to round-off; where they are
not, the line says so and the test demands a difference, so that the page stays true both ways."""
import concurrent.futures
import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS, EVERY, BOUND = 1200, 20, 1e-10
RADII, DENSITIES = (0.5, 0.4), (1.9, 2.1)

# Constants of dem/law.h and dem/system.h.
HOOKE, HERTZ, DMT, JKR = 1, 2, 3, 4
FRICTIONLESS, VISCOUS, LINEAR, MINDLIN, MINDLIN_FORCE, MINDLIN_RESCALE = 0, 1, 2, 3, 5, 6
NONE, COEFFICIENT, RATE, RESTITUTION, VISCOELASTIC, OF_NORMAL = 0, 1, 2, 3, 5, 6
RADIUS, MIXED = 1, 2
ROTATE, PROJECT = 0, 1

# What the lines have in common.
KN, KT, YOUNG, POISSON, FRICTION = 1e5, 4e4, 1e7, 0.3, 0.4
CONTACT_YOUNG = YOUNG / (2 * (1 - POISSON**2))
HERTZ_KN, HERTZ_KT = 4 / 3 * CONTACT_YOUNG, 5e6
SHEAR_8 = 8 * YOUNG / (4 * (2 - POISSON) * (1 + POISSON))  # 8 G*

SCRIPT = """units lj
atom_style sphere
dimension {dimension}
boundary {box}
comm_modify vel yes
newton off
region box block -3 3 -3 3 {depth}
create_box 1 box
{setup}
neighbor 0.3 bin
pair_style {pair}
{coefficients}
{wall}
fix 1 all nve/sphere {disc}
{flat}
timestep 1e-5
dump 1 all custom {every} out.dump id x y z vx vy vz omegax omegay omegaz
dump_modify 1 sort id format float %.17g
run {steps}
"""


def script(line, scene, first):
    """The peer's input, starting from the first state printed here."""
    setup, flat = [], scene == "disc"
    for row in first:
        setup.append("create_atoms 1 single " + " ".join(repr(v) for v in row[:3]))
    for k, row in enumerate(first):
        spin = " ".join(repr(v) for v in row[6:])
        density = "density/disc" if flat else "density"
        setup.append(f"set atom {k + 1} diameter {2 * RADII[k]!r} {density} {DENSITIES[k]!r} omega {spin}")
        setup.append(f"group g{k} id {k + 1}")
        setup.append(f"velocity g{k} set " + " ".join(repr(v) for v in row[3:6]))
    pair, coefficients = line["pair"], "pair_coeff * * " + line.get("coefficients", "")
    wall = "fix 2 all wall/gran " + line["wall"] + " zplane 0 NULL" if scene == "wall" else ""
    return SCRIPT.format(setup="\n".join(setup), pair=pair, coefficients=coefficients, wall=wall, every=EVERY, steps=STEPS,
                         dimension=2 if flat else 3, box="f f p" if flat else "f f f", depth="-0.5 0.5" if flat else "-3 3",
                         disc="disc" if flat else "", flat="fix 3 all enforce2d" if flat else "")


def numbers(text):
    return [float(word) for word in text.split()[1:10]]


def read_dump(path, count):
    lines, rows = path.read_text().splitlines(), []
    for k, text in enumerate(lines):
        if text.startswith("ITEM: ATOMS"):
            rows += [numbers(row) for row in lines[k + 1:k + 1 + count]]
    return rows


def states(line, scene, program, peer):
    options = [f"{name}={value!r}" for name, value in line["here"].items()]
    text = subprocess.run([program, scene, str(STEPS), str(EVERY), *options], capture_output=True, text=True)
    if text.returncode:
        return f"{line['name']}: {text.stderr.strip()}", None
    mine, count = [numbers(row) for row in text.stdout.splitlines()], 1 if scene == "wall" else 2
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.lmp").write_text(script(line, scene, mine[:count]))
        done = subprocess.run([peer, "-in", "in.lmp", "-log", "none"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            said = [text for text in done.stdout.splitlines() if "ERROR" in text]
            return f"{line['name']}, {scene}: the peer failed: {said}", None
        theirs = read_dump(Path(folder) / "out.dump", count)
    if len(mine) != len(theirs) or len(mine) != count * (STEPS // EVERY + 1):
        return f"{line['name']}: {len(mine)} states here, {len(theirs)} there", None
    return mine, theirs


def check(line, scene, program, peer):
    """An error, or None."""
    mine, theirs = states(line, scene, program, peer)
    if theirs is None:
        return mine
    worst = max(abs(a - b) for m, t in zip(mine, theirs) for a, b in zip(m, t))
    turned = max(abs(a - b) for a, b in zip(mine[0][3:], mine[-1][3:]))
    other = line.get("differs")
    print(f"# {line['name']}, {scene}: largest difference {worst:.1e}{' (another model)' if other else ''}")
    if turned < 0.1:
        return f"{line['name']}, {scene}: nothing met, nothing compared"
    if other and worst < other:
        return f"{line['name']}, {scene}: differs by {worst:.3e} only, the page says they are different models"
    if not other and worst > BOUND:
        return f"{line['name']}, {scene}: differs by {worst:.3e}, allowed {BOUND:.0e}"
    return None


# ---- the lines ----

def merged(*parts):
    out = {}
    for part in parts:
        out.update(part)
    return out


def classic():
    """pair gran/*: projects the history without keeping its length, arms R."""
    common = {"arms": RADIUS, "transport": PROJECT, "friction": FRICTION}
    hooke = merged(common, {"normal": HOOKE, "normal_stiffness": KN, "damping": RATE, "normal_damping": 60})
    hertz = merged(common, {"normal": HERTZ, "young": YOUNG, "poisson": POISSON, "damping": VISCOELASTIC, "normal_damping": 900,
                            "tangential": LINEAR, "tangential_modulus": HERTZ_KT})
    rate, visco = {"tangential_damping": RATE, "shear_damping": 25}, {"tangential_damping": VISCOELASTIC, "shear_damping": 400}
    spring = {"tangential": LINEAR, "tangential_stiffness": KT}
    limited = {"attraction": 0}
    for name, words, here in (
            ("gran/hooke", f"hooke {KN} NULL 60 25 {FRICTION} 1", merged(hooke, rate, {"tangential": VISCOUS})),
            ("gran/hooke/history", f"hooke/history {KN} {KT} 60 25 {FRICTION} 1", merged(hooke, rate, spring)),
            ("gran/hooke/history, dampflag 0", f"hooke/history {KN} {KT} 60 25 {FRICTION} 0", merged(hooke, spring)),
            ("gran/hooke/history, limit_damping", f"hooke/history {KN} {KT} 60 25 {FRICTION} 1 limit_damping",
             merged(hooke, rate, spring, limited)),
            ("gran/hertz/history", f"hertz/history {HERTZ_KN!r} {HERTZ_KT} 900 400 {FRICTION} 1", merged(hertz, visco)),
            ("gran/hertz/history, dampflag 0", f"hertz/history {HERTZ_KN!r} {HERTZ_KT} 900 400 {FRICTION} 0", hertz),
            ("gran/hertz/history, limit_damping", f"hertz/history {HERTZ_KN!r} {HERTZ_KT} 900 400 {FRICTION} 1 limit_damping",
             merged(hertz, visco, limited))):
        yield {"name": name, "pair": "gran/" + words, "coefficients": "", "wall": words, "here": here}


# What a wall of hertz/material and NULL should be: the version of 2021 takes E/(2 (1 - nu)) and another k_t there, see
# wall_of_2021.
WALL_WORDS = (f"hertz/material {YOUNG} ", f"hertz {HERTZ_KN!r} "), (f" {POISSON} tangential", " tangential"), (
    " NULL ", f" {SHEAR_8!r} ")


def granular(name, words, *here, **more):
    common, wall = {"arms": MIXED, "transport": ROTATE, "friction": FRICTION}, words
    for of_material, explicit in WALL_WORDS:
        wall = wall.replace(of_material, explicit)
    return merged({"name": "granular " + name, "pair": "granular", "coefficients": words, "wall": "granular " + wall,
                   "here": merged(common, *here)}, more)


def tsuji_restitution(e, hertzian):
    """The restitution that DEM_DAMPING_RESTITUTION takes for the dashpot of damping tsuji."""
    alpha = 1.2728 - 4.2783 * e + 11.087 * e**2 - 22.348 * e**3 + 27.467 * e**4 - 18.022 * e**5 + 4.8218 * e**6
    zeta = alpha / (math.sqrt(5) if hertzian else 2)
    return math.exp(-math.pi * zeta / math.sqrt(1 - zeta * zeta))


NORMALS = {
    "hooke": (f"hooke {KN} {{0}}", {"normal": HOOKE, "normal_stiffness": KN}),
    "hertz": (f"hertz {HERTZ_KN!r} {{0}}", {"normal": HERTZ, "young": YOUNG, "poisson": POISSON}),
    "hertz/material": (f"hertz/material {YOUNG} {{0}} {POISSON}", {"normal": HERTZ, "young": YOUNG, "poisson": POISSON}),
}


def dampings(hertzian):
    yield "velocity", 30, {"damping": COEFFICIENT, "normal_damping": 30}
    yield "mass_velocity", 80, {"damping": RATE, "normal_damping": 80}
    yield "viscoelastic", 900, {"damping": VISCOELASTIC, "normal_damping": 900}
    yield "tsuji", 0.7, {"damping": RESTITUTION, "restitution": tsuji_restitution(0.7, hertzian)}


def granular_springs():
    """Every normal model with every damping and the tangential models with constant stiffness, x_gamma_t = 0.6."""
    fraction = {"tangential_damping": OF_NORMAL, "shear_damping": 0.6}
    for normal, (words, of_normal) in NORMALS.items():
        for damping, value, of_damping in dampings(normal != "hooke"):
            head = words.format(value)
            yield granular(f"{normal}, {damping}, linear_nohistory",
                           f"{head} tangential linear_nohistory 0.6 {FRICTION} damping {damping}",
                           of_normal, of_damping, fraction, {"tangential": VISCOUS})
            yield granular(f"{normal}, {damping}, linear_history",
                           f"{head} tangential linear_history {KT} 0.6 {FRICTION} damping {damping}",
                           of_normal, of_damping, fraction, {"tangential": LINEAR, "tangential_stiffness": KT})


MINDLINS = {"mindlin": LINEAR, "mindlin/force": MINDLIN_FORCE, "mindlin_rescale": MINDLIN_RESCALE, "mindlin_rescale/force": MINDLIN}


def granular_mindlin():
    words, of_normal = NORMALS["hertz/material"]
    for model, tangential in MINDLINS.items():
        for damping, value, of_damping in dampings(True):
            for factor in (0, 0.6):
                here = {"tangential_damping": OF_NORMAL, "shear_damping": factor} if factor else {}
                yield granular(f"hertz/material, {damping}, {model}, x_gamma_t {factor}",
                               f"{words.format(value)} tangential {model} NULL {factor} {FRICTION} damping {damping}",
                               of_normal, of_damping, here, {"tangential": tangential})
        yield granular(f"hertz, {model} with k_t", f"hertz {HERTZ_KN!r} 900 tangential {model} {HERTZ_KT} 0 {FRICTION}",
                       of_normal, {"damping": VISCOELASTIC, "normal_damping": 900, "tangential": tangential,
                                   "tangential_modulus": HERTZ_KT})


def granular_others():
    """Rolling, twisting, limit_damping."""
    marshall = f"{HERTZ_KN!r} 900 tangential mindlin {HERTZ_KT} 0.6 {FRICTION}"
    mindlin = {"normal": HERTZ, "young": YOUNG, "poisson": POISSON, "damping": VISCOELASTIC, "normal_damping": 900,
               "tangential": LINEAR, "tangential_modulus": HERTZ_KT, "tangential_damping": OF_NORMAL, "shear_damping": 0.6}
    rolling = {"rolling": 1, "rolling_stiffness": 4e4, "rolling_damping": 15, "rolling_friction": 0.3}
    yield granular("hertz, mindlin, rolling sds, twisting marshall",
                   f"hertz {marshall} rolling sds 4e4 15 0.3 twisting marshall", mindlin, rolling, {"twisting": 2})
    yield granular("hertz, mindlin, limit_damping", f"hertz {HERTZ_KN!r} 4000 tangential mindlin {HERTZ_KT} 0.6 {FRICTION} "
                   "limit_damping", mindlin, {"normal_damping": 4000, "attraction": 0})
    # of the two spheres; here they are times R*^2, R*^2 and R*
    reduced = RADII[0] * RADII[1] / sum(RADII)
    yield granular("hertz, mindlin, twisting sds", f"hertz {marshall} twisting sds {3e4 * reduced**2!r} {10 * reduced**2!r} "
                   f"{0.2 * reduced!r}", mindlin, {"twisting": 1, "twisting_stiffness": 3e4, "twisting_damping": 10,
                                                   "twisting_friction": 0.2}, scenes=("pair",))


def adhesive(model, normal, gamma, damping=COEFFICIENT, value=30):
    """Words and options of an adhesive normal part."""
    return f"{model} {YOUNG} {value} {POISSON} {gamma}", {"normal": normal, "young": YOUNG, "poisson": POISSON,
                                                         "surface_energy": gamma, "damping": damping, "normal_damping": value}


def granular_adhesion():
    """Necks of JKR tear elsewhere, so the spheres compared hold together (surface energy 500); the caps leave the dashpot out, so
    none is reached. DMT has another cap."""
    pair, constant = {"scenes": ("pair",)}, {"tangential": LINEAR, "tangential_stiffness": KT}
    spring = f"tangential linear_history {KT} 0 {FRICTION} damping velocity"
    rolling = {"rolling": 1, "rolling_stiffness": 4e4, "rolling_damping": 15, "rolling_friction": 10, "twisting": 2}
    fraction = {"tangential_damping": OF_NORMAL, "shear_damping": 0.6}
    words, here = adhesive("dmt", DMT, 5)
    yield granular("dmt without friction", f"{words} tangential linear_nohistory 0 0 damping velocity", here,
                   {"tangential": FRICTIONLESS}, **pair)
    yield granular("dmt, linear_history", f"{words} {spring}", here, constant, **pair, differs=1e-6)
    words, here = adhesive("jkr", JKR, 500)
    yield granular("jkr, linear_history", f"{words} {spring}", here, constant, **pair)
    words, here = adhesive("jkr", JKR, 5)
    yield granular("jkr that tears", f"{words} {spring}", here, constant, **pair, differs=1e-6)
    words, here = adhesive("jkr", JKR, 500)
    yield granular("jkr that slips", f"{words} tangential linear_history {KT} 0 0.005 damping velocity", here, constant,
                   {"friction": 0.005}, **pair, differs=1e-6)
    for model, tangential in MINDLINS.items():
        words, here = adhesive("jkr", JKR, 500, VISCOELASTIC, 900)
        yield granular(f"jkr, viscoelastic, {model}, rolling, twisting",
                       f"{words} tangential {model} NULL 0.6 {FRICTION} rolling sds 4e4 15 10 twisting marshall", here, fraction,
                       rolling, {"tangential": tangential}, **pair)


def what_differs():
    """Where the page says that it is not the same; each close, none to round-off."""
    words, here = NORMALS["hooke"][0].format(80), merged(NORMALS["hooke"][1], {"damping": RATE, "normal_damping": 80})
    spring = {"tangential": LINEAR, "tangential_stiffness": KT}
    yield granular("with arms of the radius", f"{words} tangential linear_history {KT} 0 {FRICTION} damping mass_velocity", here,
                   spring, {"arms": RADIUS}, scenes=("pair",), differs=1e-6)
    yield granular("with a projected spring", f"{words} tangential linear_history {KT} 0 {FRICTION} damping mass_velocity", here,
                   spring, {"transport": PROJECT}, scenes=("pair",), differs=1e-9)
    wall = f"hertz/material {YOUNG} 80 {POISSON} tangential mindlin NULL 0 {FRICTION} damping mass_velocity"
    yield {"name": "wall_of_2021", "pair": "granular", "coefficients": wall, "wall": "granular " + wall, "differs": 1e-6,
           "scenes": ("wall",), "here": {"normal": HERTZ, "young": YOUNG, "poisson": POISSON, "damping": RATE, "normal_damping": 80,
                                         "tangential": LINEAR, "arms": MIXED, "friction": FRICTION}}


def discs():
    """fix nve/sphere disc: moment of inertia m R^2/2."""
    for line in classic():
        if line["name"] == "gran/hooke/history":
            yield merged(line, {"name": "nve/sphere disc", "scenes": ("disc",)})


def lines():
    yield from classic()
    yield from granular_springs()
    yield from granular_mindlin()
    yield from granular_others()
    yield from granular_adhesion()
    yield from discs()
    yield from what_differs()


def main():
    peer = shutil.which("lmp")
    if not peer:
        print("skipped: no program lmp")
        sys.exit(77)
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    cases = [(line, scene) for line in lines() if wanted in line["name"] for scene in line.get("scenes", ("pair", "wall"))]
    # The peer mostly waits while it starts: several at a time.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        errors = [error for error in pool.map(lambda case: check(*case, sys.argv[1], peer), cases) if error]
    print(f"# {len(cases)} comparisons, {len(errors)} failed")
    sys.exit("\n".join(errors) if errors else 0)


main()
