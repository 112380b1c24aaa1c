/* Random problems for SVMs, a slow check of their optimality conditions, and LIBSVM's solution. */
#ifndef TEST_SVM_PROBLEMS_H
#define TEST_SVM_PROBLEMS_H

#include "support/support.h"
#include "svm/svm.h"

/* A Gram matrix of random points, and training graphs among them. */
typedef struct test_svm_problem {
    lm_svm_problem problem; /* of the arrays below */
    float *gram;
    uint32_t *item, *label;
    double *target;
    double *weight; /* from 0.0001 to 100, for problem.set.weight; not used unless a test sets it */
    int8_t *bound;  /* for problem.set.bound, likewise */
    size_t tests;   /* graphs that are not for training: numbers .. */
    uint32_t *test; /* .. these */
} test_svm_problem;

typedef enum test_kernel {
    TEST_GAUSSIAN, /* of points in the unit square: many free variables */
    TEST_LINEAR,   /* of the same points, not normalised: low rank */
    TEST_COUNTS,   /* products of small counts, up to some hundred */
    TEST_KERNELS
} test_kernel;

/* `graphs` points, of which `count` are for training; classes by place, some of them wrong; targets a wave of the
 * place. The first graphs for training have the classes 0, 1, ... in this order. */
test_svm_problem test_svm_problem_new(uint64_t *random, test_kernel kernel, size_t graphs, size_t count,
                                      size_t classes);
void test_svm_problem_free(test_svm_problem *made);

/* The gap of the optimality conditions of a pair, computed from the support vectors in double precision; checks bounds,
 * signs and the sum on the way. *norm: the sum of |coefficients|, *objective: as in lm_svm_support. */
double test_svm_gap(const test_svm_problem *made, const lm_svm *svm, size_t pair, double c, double *norm,
                    double *objective);

/* LIBSVM on the same problem (TEST_LIBSVM only). */
typedef struct test_libsvm {
    double *decision;    /* [tests][pairs] */
    uint32_t *predicted; /* [tests] */
    double objective;    /* of all pairs */
    double norm;         /* sum of |coefficients| of all pairs */
} test_libsvm;
test_libsvm test_libsvm_train(const test_svm_problem *made, double c, double tolerance);
void test_libsvm_free(test_libsvm *solution);

#endif
