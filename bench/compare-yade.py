# Run by compare-yade.sh inside `yade`: settling of the spheres of a LAMMPS data file in a box, elastic contacts with friction.
#
#   yade -n -x compare-yade.py DATA DT STEPS
#
# Linear springs (Cundall and Strack), k_n = 1e5, k_t = 2/7 k_n, mu = 0.5, no damping of any kind, gravity 10. Prints the largest
# difference of the sum of all energies YADE tracks from its start, over the largest of them, and some of the energies.
import math
import sys

path, dt, steps = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
stiffness, ratio, friction, width = 1e5, 2 / 7, 0.5, 1.06 * 12


def read(name):
    """Rows of a section of the file, by id."""
    rows, inside = {}, False
    for line in open(path):
        words = line.split()
        if words and words[0][0].isalpha():
            inside = words[0] == name
        elif inside and words:
            rows[int(words[0])] = [float(word) for word in words[1:]]
    return rows


material = O.materials.append(FrictMat(young=stiffness / 0.45, poisson=ratio, frictionAngle=math.atan(friction), density=6 / math.pi))
atoms, motion = read('Atoms'), read('Velocities')
for number in sorted(atoms):
    diameter, x = atoms[number][1], atoms[number][3:6]
    body = O.bodies[O.bodies.append(sphere(x, diameter / 2, material=material))]
    body.state.vel, body.state.angVel = motion[number][0:3], motion[number][3:6]
for axis, place, sense in ((2, 0, 1), (0, 0, 1), (0, width, -1), (1, 0, 1), (1, width, -1)):
    O.bodies.append(wall(place, axis, sense=sense, material=material))

O.trackEnergy = True
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=0.04),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
                    [Ip2_FrictMat_FrictMat_FrictPhys(kn=MatchMaker(algo='val', val=stiffness),
                                                     ks=MatchMaker(algo='val', val=ratio * stiffness))],
                    [Law2_ScGeom_FrictPhys_CundallStrack()]),
    NewtonIntegrator(gravity=(0, 0, -10), damping=0),
]
O.dt = dt

worst, largest = 0, 0
O.run(1, True)
start = O.energy.total()
for sample in range(min(100, steps - 1)):
    O.run(1 + (steps - 1) * (sample + 1) // min(100, steps - 1) - O.iter, True)
    total = O.energy.total()
    worst = max(worst, abs(total - start))
    largest = max([largest] + [abs(value) for _, value in O.energy.items()])
print('RESULT closure', worst / largest)
for name, value in O.energy.items():
    print('RESULT', name, value)
