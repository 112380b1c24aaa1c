/*
 * The type of the networks' numbers: float, or double in a second build of the same sources (-DLM_NN_DOUBLE) in which
 * the tests compare gradients with finite differences. Only used inside nn/.
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
