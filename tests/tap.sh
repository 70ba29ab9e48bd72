#!/bin/sh
# Runs a cmocka program. cmocka 1.1 writes a skipped test as `not ok`, which TAP counts as a failure; here it becomes `ok`.
# usage: tap.sh PROGRAM
{ status=$({ { "$@" 3>&- 4>&-; echo $? >&3; } | sed "s|^not ok \([0-9]* # SKIP\)|ok \1|" >&4; } 3>&1); } 4>&1
exit "$status"
