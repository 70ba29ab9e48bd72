#!/usr/bin/env python3
"""check.py PROGRAM FOLDER: runs a demonstration, and looks for what it is to show in the CSV it leaves in FOLDER."""
import csv
import os
import subprocess
import sys


def series(path):
    with open(path, newline='') as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith('#')))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def rises(values, total):
    """Never falls (but for round-off), and ends above 0."""
    return values[-1] > 0 and all(b >= a - 1e-12 * total for a, b in zip(values, values[1:]))


def balance(s):
    """Largest distance between what is accounted for and what was put in: stores, sinks, numerical against host and walls."""
    put_in = ('host', 'walls', 'potential_host')
    other = ('time', 'residual', 'residual_relative')
    held = [name for name in s if name not in put_in + other]
    return max(abs(sum(s[n][k] for n in held) - sum(s[n][k] for n in put_in)) for k in range(len(s['time'])))


def impact(s, total):
    return {'all kinetic energy passes through the spring': max(s['potential_normal']) > 0.999 * total,
            'and comes back': abs(s['kinetic_linear'][-1] - total) < 1e-6 * total,
            'sinks stay empty': all(v == 0 for name in ('damping_normal', 'sliding', 'lubrication') for v in s[name])}


def lubrication(s, total):
    heat, touching = s['lubrication'], [k for k, v in enumerate(s['potential_normal']) if v > 0]
    return {'the fluid takes energy': rises(heat, total) and heat[-1] > 0.1 * total,
            'the spheres touch': bool(touching) and max(s['potential_normal']) > 0.02 * total,
            'no heat above the outer cut-off': heat[5] == 0 and s['kinetic_linear'][5] == s['kinetic_linear'][0],
            'none during the overlap': bool(touching) and heat[touching[0]] == heat[touching[-1]],
            'more on the way out': bool(touching) and heat[-1] > heat[touching[-1]]}


def bond(s, total):
    jumps = [b - a for a, b in zip(s['breakage'], s['breakage'][1:])]
    after = [v for v, broken in zip(s['potential_bond'], s['breakage']) if broken > 0]
    return {'the bond holds energy': max(s['potential_bond']) > 0.1 * total,
            'it spins the spheres': max(s['kinetic_angular']) > 0.05 * total,
            'it breaks once': sum(jump > 0 for jump in jumps) == 1 and s['breakage'][-1] > 0.05 * total,
            'after holding for a while': s['breakage'][len(s['breakage']) // 3] == 0,
            'and holds nothing afterwards': all(v == 0 for v in after)}


def wall_impact(s, total):
    return {'the wall brings the energy': s['kinetic_walls'][0] > 0.9 * s['host'][0] > 0,
            'bonds break': rises(s['breakage'], total) and s['breakage'][-1] > 0.01 * total,
            'contacts dissipate': s['damping_normal'][-1] > 0,
            'slip makes heat': rises(s['sliding'], total),
            'gravity works': min(s['gravity']) < 0}


EXPECTED = {'energy_impact': impact, 'energy_lubrication': lubrication, 'energy_bond': bond, 'energy_wall_impact': wall_impact}


def main():
    program, folder = sys.argv[1:3]
    name = os.path.basename(program).removeprefix('example-')
    os.makedirs(folder, exist_ok=True)
    run = subprocess.run([program, folder], check=False)
    s = series(os.path.join(folder, name + '.csv'))
    total = max(map(abs, s['host'] + s['gravity']))
    facts = {'it ends well': run.returncode == 0,
             'the books close to 1e-12': max(s['residual_relative']) <= 1e-12,
             'stores and sinks add up to what was put in': balance(s) < 1e-8 * total}
    facts.update(EXPECTED[name](s, total))
    for fact, true in facts.items():
        print('ok    ' if true else 'WRONG ', fact)
    return 0 if all(facts.values()) else 1


if __name__ == '__main__':
    sys.exit(main())
