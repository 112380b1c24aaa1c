/* The loops of row_loops.c for x86-64 with AVX2: four numbers in each instruction. CMakeLists.txt has the compiler
 * options; without them the file is empty. */
#include "refine/row_loops.h"
#ifdef __AVX2__
#define LM_ROW_LOOPS lm_row_loops_avx2
#include "refine/row_loops.c"
#endif
