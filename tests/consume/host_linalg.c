/* A host of libdem-linalg: a density of states of four frequencies, and the version of libdem beside it. */
#include <dem/dem.h>
#include <dem/linalg.h>
#include <stdio.h>

int main(void) {
  const double frequency[4] = {1, 2, 3, 4};
  double density[2], edges[3];
  dem_linalg_density_options options;
  dem_linalg *linalg;
  dem_linalg_density_options_init(&options, sizeof options);
  options.bins = 2;
  options.high = 4;
  if (dem_linalg_create(NULL, &linalg)) return 1;
  const dem_status status = dem_linalg_density(linalg, 4, frequency, &options, edges, density);
  printf("libdem %u, %s %g %g\n", (unsigned)dem_version(), dem_status_name(status), density[0], density[1]);
  dem_linalg_destroy(linalg);
  return status || density[0] != 0.125 || density[1] != 0.375;
}
