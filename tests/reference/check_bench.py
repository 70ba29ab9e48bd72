#!/usr/bin/env python3
"""check_bench.py DEM_BENCH DATA_FOLDER: the benchmark cases against the series that LAMMPS computed from the same data files.

The two programs do the same arithmetic in another order, so after n steps they differ by round-off that contacts amplify. The
bounds are those the project promises: 1e-11 for the chute over 500 steps, 1e-9 for the bed over 100."""
import csv
import os
import subprocess
import sys

PRINTED = ('particle_steps_per_second', 'seconds', 'contacts', 'kinetic_energy', 'rotational_energy',
           'ledger_residual_relative', 'neighbour_rebuilds', 'bytes_per_particle')


def run(bench, *arguments):
    out = subprocess.run([bench, *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    figures = dict(line.split(' ') for line in out.splitlines())
    missing = [name for name in PRINTED if name not in figures]
    if missing:
        sys.exit('not printed: ' + ', '.join(missing))
    return {name: float(value) for name, value in figures.items()}


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith('#')))


def compare(name, step, figures, kinetic, rotational, bound):
    worst = max(abs(figures['kinetic_energy'] / float(kinetic) - 1), abs(figures['rotational_energy'] / float(rotational) - 1))
    print(f'{name}, step {step}: {worst:.1e} from the series, bound {bound:.0e}')
    return worst <= bound


def main():
    bench, folder = sys.argv[1:3]
    chute, bed = os.path.join(folder, 'chute'), os.path.join(folder, 'bed50k')
    if not os.path.isdir(chute) or not os.path.isdir(bed):
        print(f'skipped: no chute and bed50k in {folder}')
        return 77
    good = True
    for row in rows(os.path.join(chute, 'reference.csv')):
        step = int(row['step'])
        figures = run(bench, 'chute', '--data', os.path.join(chute, 'data.chute'), '--steps', step, '--ledger', 1)
        good &= compare('chute', step, figures, row['kinetic_energy'], row['rotational_energy'], 1e-11)
        good &= figures['ledger_residual_relative'] <= 1e-12
    for row in rows(os.path.join(bed, 'series_hooke.csv')):
        step = int(row['step'])
        if step not in (10, 50, 100):
            continue
        figures = run(bench, 'bed', '--law', 'hooke', '--data', os.path.join(bed, 'bed_hooke.data'), '--steps', step)
        good &= compare('bed, hooke', step, figures, row['ke_trans'], row['ke_rot'], 1e-9)
        good &= figures['coordination'] > 4
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
