/* Random insertion: a frozen bed, then grains above it, none touching another while shrunk to SHRUNK of their size. */
#ifndef INSERTION_H
#define INSERTION_H

#include "packing.h"

/* The insertion's share of the diameter. */
#define SHRUNK 0.8

/* Fills `g` with the grains at full size, in the box that they will about fill. Says on stderr what went wrong. 0 or -1. */
int insert_grains(const packing_options *options, grains *g);

#endif
