#!/usr/bin/env python3
"""check.py PROGRAM FOLDER: runs a small percolation, and looks for what it is to show in the CSV it leaves in FOLDER."""
import csv
import os
import subprocess
import sys


def last(rows, scheme):
    row = [r for r in rows if r['scheme'] == scheme][-1]
    return float(row['trapped']), float(row['through'])


def main():
    program, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    run = subprocess.run([program, folder, '20', '150', '8'], check=False)
    with open(os.path.join(folder, 'percolation_20.csv'), newline='') as file:
        rows = list(csv.DictReader(file))
    (caught, fell), (few, nearly_all) = last(rows, 'velocity-verlet'), last(rows, 'improved-velocity-verlet')
    facts = {'it ends well': run.returncode == 0,
             'the plain scheme traps some': caught > 0.04,
             'the improved one next to none': few <= 0.02,
             'what is not trapped has fallen through': caught + fell > 0.98 and few + nearly_all > 0.98}
    for fact, true in facts.items():
        print('ok    ' if true else 'WRONG ', fact)
    return 0 if all(facts.values()) else 1


if __name__ == '__main__':
    sys.exit(main())
