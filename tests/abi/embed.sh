#!/bin/sh
# What makes a library safe to load into somebody else's process, read off the binary.
# usage: embed.sh LIBRARY [OTHERS]
#   OTHERS: libraries that it may need besides, such as 'libdem|libblas'; without them it must have no symbol of BLAS or LAPACK
set -u
library=$1 others=${2:-}
failed=0

complain() {
  [ -z "$2" ] && return
  printf '%s:\n%s\n' "$1" "$2"
  failed=1
}

# Ends the process, or touches what belongs to it: streams, locale, environment, signals, floating-point modes, threads, seeds.
ends='exit|_exit|_Exit|quick_exit|abort|__assert_fail|__assert|raise|kill|longjmp|siglongjmp|__longjmp_chk|atexit|__cxa_atexit|on_exit'
# pthread_sigmask is allowed: it keeps the SIGPIPE and SIGXFSZ of a write to a file from the host, in the calling thread and for the
# length of that write (lib/io/file.c). Nothing else may call it; see below.
signals='signal|sigaction|sigprocmask|alarm'
streams='stdin|stdout|stderr|puts|putchar|printf|__printf_chk|vprintf|__vprintf_chk|perror|getchar|gets|syslog'
process='setlocale|uselocale|getenv|secure_getenv|setenv|putenv|unsetenv|system|popen|fork|vfork|execve|execvp|chdir|umask'
process="$process|pthread_atfork|tmpnam|tempnam|mktemp"
numbers='fesetround|fesetenv|feupdateenv|feenableexcept|fedisableexcept|rand|srand|random|srandom|drand48|srand48'
threads='omp_set_num_threads|omp_set_nested|omp_set_max_active_levels|omp_set_dynamic|omp_set_schedule|openblas_set_num_threads'
# Reads the locale of the host, or keeps state between calls, or cannot be told how much room there is.
unsafe='strtod|strtof|strtold|atof|sscanf|__isoc99_sscanf|fscanf|__isoc99_fscanf|strtok|strerror|localtime|gmtime|ctime|asctime'
unsafe="$unsafe|sprintf|__sprintf_chk|vsprintf|__vsprintf_chk|strcpy|__strcpy_chk|strcat|__strcat_chk"
undefined=$(nm -D --undefined-only "$library" | awk '{sub(/@.*/, "", $2); print $2}')
complain 'forbidden functions' \
  "$(echo "$undefined" | grep -xE "$ends|$signals|$streams|$process|$numbers|$threads|$unsafe")"
# Objects in sections that stay writable, but for those that the compiler and linker put into any library. Tables of
# pointers are in .data.rel.ro, which the loader closes.
theirs='completed\.0|__dso_handle|__TMC_END__|_edata|_end|__bss_start'
complain 'writable global state' \
  "$(objdump -t "$library" | awk 'NF > 2 && $(NF - 2) ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)$/ && !/ d / {print $NF}' | grep -vxE "$theirs")"

complain 'masks signals elsewhere than around a write' \
  "$(objdump -d "$library" | awk '/^[0-9a-f]+ <.*>:$/ {name = $2} /<pthread_sigmask@plt>$/ {print name}' |
    grep -vE '^<(write_quietly|write_file|pthread_sigmask@plt)[.>:]')"
complain 'sets the control register of the floating-point unit' "$(objdump -d "$library" | grep -m 3 ldmxcsr)"
complain 'relocations in the code' "$(readelf -d "$library" | grep TEXTREL)"
complain 'executable stack' "$(readelf -lW "$library" | grep 'GNU_STACK.*RWE')"
# OpenBLAS starts threads when it is loaded.
blas='cblas_.*|LAPACKE_.*|openblas_.*|cholmod_.*|[sdcz](gemm|gemv|syrk|trsm|dot|axpy|scal|copy|nrm2|syev[dr]?|potrf|getrf)_'
[ -n "$others" ] || complain 'symbols of BLAS, LAPACK or CHOLMOD' "$(echo "$undefined" | grep -xE "$blas")"
complain 'needs more than the C library, libm and OpenMP' \
  "$(readelf -d "$library" | grep NEEDED |
    grep -vE "\[(libc|libm|ld-linux[^.]*|libgomp|libomp|libpthread${others:+|$others})\.so")"
complain 'exports its insides' "$(nm -D --defined-only "$library" | awk '{print $3}' | grep -E '^demi_')"

[ $failed = 0 ] && echo "nothing that a host would mind"
exit $failed
