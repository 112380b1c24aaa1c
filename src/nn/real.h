/*
 * The number of the networks: float, and double in a second build of the same sources (-DLM_NN_DOUBLE) in which the
 * tests compare gradients with finite differences. Nothing outside nn/ sees it.
 */
#ifndef LM_REAL_H
#define LM_REAL_H

#ifdef LM_NN_DOUBLE
typedef double lm_real;
#define LM_REAL(x) x
#define LM_REAL_FUNCTION(name) name
#else
typedef float lm_real;
#define LM_REAL(x) x##f
#define LM_REAL_FUNCTION(name) name##f
#endif

#endif
