/* Seconds of each operation of a backend, measured by wrapping the functions of its table. */
#ifndef BENCH_PROFILE_H
#define BENCH_PROFILE_H

#include "nn/executor.h"

/* One at a time: the functions of a table have no other place to find it. */
static struct {
    const lm_operation_entry *operations; /* those that are measured */
    lm_operation_entry wrapped[LM_OPERATIONS];
    lm_totals *done;                  /* in the memory of the backend: reading it waits for a device */
    double seconds[LM_OPERATIONS][2]; /* forward, backward */
} profile;

static void profile_operation(lm_backend *backend, const lm_frame *f, bool backward)
{
    const lm_operation operation = f->step->operation;
    const lm_operation_entry *own = profile.operations + operation;
    const double began = lm_now();
    double word;
    (backward ? own->backward : own->forward)(backend, f);
    if (backend->read(backend, &word, profile.done, sizeof word)) exit(1);
    profile.seconds[operation][backward] += lm_now() - began;
}

static void profile_forward(lm_backend *backend, const lm_frame *f)
{
    profile_operation(backend, f, false);
}

static void profile_backward(lm_backend *backend, const lm_frame *f)
{
    profile_operation(backend, f, true);
}

/* From this call on the executor's operations are measured, and its steps are not recorded. */
static void profile_begin(lm_executor *e)
{
    if (e->backend->operations != profile.wrapped) profile.operations = e->backend->operations;
    for (int i = 0; i < LM_OPERATIONS; i++) {
        profile.wrapped[i] = (lm_operation_entry){profile_forward, profile_backward, profile.operations[i].workspace};
        profile.seconds[i][0] = profile.seconds[i][1] = 0;
    }
    profile.done = e->totals;
    e->backend->operations = profile.wrapped;
    e->backend->replay = NULL;
    e->backend->recorded = NULL;
}

static void profile_print(double batches)
{
    for (int i = 0; i < LM_OPERATIONS; i++)
        if (profile.seconds[i][0] > 0)
            printf("    %-13s forward %8.2f ms  backward %8.2f ms (clock)\n", lm_operation_name((lm_operation)i),
                   1e3 * profile.seconds[i][0] / batches, 1e3 * profile.seconds[i][1] / batches);
    fflush(stdout);
}

#endif
