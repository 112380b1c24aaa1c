/*
 * Ranks as threads of the test, each with a context of its own whose communicator is that of the public header: what an
 * MPI program would do, without MPI.
 */
#ifndef TEST_RANKS_H
#define TEST_RANKS_H

#include "support/support.h"

enum { TEST_MAX_RANKS = 8 };

/* What a rank does. Asserting is for the test's own thread: a rank that finds something wrong returns a status. */
typedef leman_status test_rank_work(leman_context *ctx, void *state);

typedef struct test_ranks {
    size_t ranks;
    size_t memory;       /* budget of each; 0: none */
    bool plain;          /* the communicator has neither write nor next */
    size_t failing_rank; /* there the allocation of this number, from 1, and all behind it fail; 0: none */
    size_t failing_allocation;
    /* What came out, by rank. */
    leman_status status[TEST_MAX_RANKS];
    char message[TEST_MAX_RANKS][1024];
    leman_traffic traffic[TEST_MAX_RANKS];
    size_t allocations[TEST_MAX_RANKS], live[TEST_MAX_RANKS]; /* live: leaked */
} test_ranks;

/* Runs work in every rank, state[rank] being the rank's own, and fails the test where a rank leaks. */
void test_ranks_run(test_ranks *t, test_rank_work *work, void *const *state);
/* The same, where all must succeed. */
void test_ranks_succeed(size_t ranks, test_rank_work *work, void *const *state);

#endif
