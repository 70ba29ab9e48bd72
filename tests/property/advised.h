/* Systems of one material and one law that advice is asked of, in the context of scenes/context.h. Statuses are asserted. */
#ifndef TESTS_ADVISED_H
#define TESTS_ADVISED_H

#include <dem/dem.h>

/* Without particles; a material of this Young's modulus and of Poisson's ratio 0.3. */
dem_system *advised_system(const dem_law_options *law, double young, double dt);
dem_advice advised(dem_system *s);

/* Laws without tangential part and damping. */
void advised_hooke(dem_law_options *o, double stiffness);
void advised_hertz(dem_law_options *o);

enum { ADVISED_LINKS = 40 };

/* A periodic chain of spheres of radius 1/2 and mass 1, compressed by 1 %, with the highest mode excited; its squared frequency is
 * 4 k/m, with k = 1e4. */
dem_system *advised_chain(void);

#endif
