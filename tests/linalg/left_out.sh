#!/bin/sh
# Stands for the tests of libdem-linalg where that library is not built.
echo "libdem-linalg was left out: LAPACKE, BLAS or CHOLMOD were not found, or -Dlinalg=disabled"
exit 77
