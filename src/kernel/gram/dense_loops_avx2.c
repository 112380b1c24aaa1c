/* The loop of dense_loops.c for x86-64 with AVX2 and FMA: eight numbers in each instruction. CMakeLists.txt has the
 * compiler options; without them the file is empty. */
#include "kernel/gram/dense_loops.h"
#ifdef __AVX2__
#define LM_DENSE_RUN lm_dense_run_avx2
#include "kernel/gram/dense_loops.c"
#endif
