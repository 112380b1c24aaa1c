/*
 * Several processes that run one command together, started by mpirun or srun: mpirun -n 4 leman gram ... All ranks run
 * the command; rank 0 alone reports and writes. MPI is in a module (cli/mpi/module.h) that is loaded where the
 * environment says that there are several ranks.
 */
#ifndef LM_CLI_RANKS_H
#define LM_CLI_RANKS_H

#include "cli/work.h"

typedef struct lm_process_ranks {
    leman_communicator communicator;
    size_t local[2];                    /* ranks of this computer, and which of them this is */
    const struct lm_mpi_module *module; /* NULL: alone */
} lm_process_ranks;

/* Where it was started as one of several: joins them. Else, and where LEMAN_MPI is 0, it is alone. A failure to do so
 * is a sentence on standard error, and false. */
bool lm_process_ranks_join(lm_process_ranks *ranks);
/* The names of the modules that are there, in text[size]; "not built in" where there are none. */
const char *lm_process_ranks_names(char *text, size_t size);
/* Are all ranks of one version, and were they started with command lines of this checksum? Where a rank differs from
 * rank 0 all ranks fail with LEMAN_ERROR_INPUT and one sentence. */
leman_status lm_process_ranks_compare(leman_context *ctx, const lm_process_ranks *ranks, uint64_t command);
/* Threads and memory of this rank, where nobody said how many: the ranks of a computer share it. */
void lm_process_ranks_share(const lm_process_ranks *ranks, leman_settings *settings);
/* At the end. Is it this rank that says what went wrong? *alone: the others go on, and have to be ended. */
bool lm_process_ranks_finish(const lm_process_ranks *ranks, bool failed, bool *alone);
void lm_process_ranks_end(const lm_process_ranks *ranks, bool alone, int status);
/* "ranks": [{rank calls messages sent received work}] in JSON, where there are several; all ranks call it. */
leman_status lm_ranks_json(leman_context *ctx, lm_json *json);

#endif
