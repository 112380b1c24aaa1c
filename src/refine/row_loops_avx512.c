/* The loops of row_loops.c for x86-64 with AVX-512: eight numbers in each instruction. CMakeLists.txt has the compiler
 * options; without them the file is empty. */
#include "refine/row_loops.h"
#ifdef __AVX512F__
#define LM_ROW_LOOPS lm_row_loops_avx512
#include "refine/row_loops.c"
#endif
