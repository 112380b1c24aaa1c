/*
 * Several processes that run one command together, started by mpirun or srun: mpirun -n 4 leman gram ... All ranks run
 * the command; only rank 0 reports and writes. MPI is in a module (cli/mpi/module.h), which is loaded if the
 * environment says that there are several ranks.
 */
#ifndef LM_CLI_RANKS_H
#define LM_CLI_RANKS_H

#include "cli/work.h"

typedef struct lm_process_ranks {
    leman_communicator communicator;
    size_t local[2];                    /* number of ranks on this computer; number of this rank among them */
    const struct lm_mpi_module *module; /* NULL: this is the only rank */
} lm_process_ranks;

/* Joins the other ranks if the process was started as one of several and LEMAN_MPI is not 0. Otherwise the process is
 * the only rank. If joining fails, prints a message to standard error and returns false. */
bool lm_process_ranks_join(lm_process_ranks *ranks);
/* Writes the names of the available modules into text[size], or "not built in", and returns text. */
const char *lm_process_ranks_names(char *text, size_t size);
/* Checks that all ranks have the same version of Leman and the same `command`, a checksum of the command line. Succeeds
 * if there is one rank. Fails with LEMAN_ERROR_NETWORK if the ranks cannot reach each other. If a rank differs from
 * rank 0, all ranks fail with LEMAN_ERROR_INPUT and the same message. */
leman_status lm_process_ranks_compare(leman_context *ctx, const lm_process_ranks *ranks, uint64_t command);
/* Sets the communicator, and threads and memory if they are not set: the ranks of a computer share its cores and
 * memory. */
void lm_process_ranks_share(const lm_process_ranks *ranks, leman_settings *settings);
/* Called at the end. lm_process_ranks_finish() returns true if this rank has to report the failure; *alone is true if
 * the other ranks are still working and must be ended. lm_process_ranks_end() then ends MPI, or all ranks if
 * `alone`. */
bool lm_process_ranks_finish(const lm_process_ranks *ranks, bool failed, bool *alone);
void lm_process_ranks_end(const lm_process_ranks *ranks, bool alone, int status);
/* Adds "ranks": [{rank calls messages sent received work}] if there are several ranks. All ranks must call it. */
leman_status lm_ranks_json(leman_context *ctx, lm_json *json);

#endif
