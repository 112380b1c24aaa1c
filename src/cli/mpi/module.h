/*
 * The functions of MPI that the program uses. They are in a module, a shared object for one MPI library, which the
 * program loads if it was started by mpirun or srun. So the program needs no MPI otherwise, and one build serves
 * several MPI libraries.
 */
#ifndef LM_MPI_MODULE_H
#define LM_MPI_MODULE_H

#include "leman.h"

#define LM_MPI_MODULE_SYMBOL "leman_mpi_module"

typedef struct lm_mpi_module {
    const char *version; /* of Leman; must be equal to that of the program */
    /* Calls MPI_Init and fills *communicator, which must hold the default. `stop` is called while ranks wait; if it
     * returns true, waiting ends. local[0]: number of ranks on this computer; local[1]: number of this rank among
     * them. */
    leman_status (*begin)(bool (*stop)(void), leman_communicator *communicator, size_t local[2]);
    /* Lets MPI make progress with requests of other ranks. */
    void (*poll)(void);
    /* Called at the end of the work on every rank. Returns the lowest rank that failed, or the number of ranks if none
     * failed, or -1 if not all ranks called it within that many seconds. 0 seconds: wait without limit. */
    int (*finish)(bool failed, double seconds);
    /* Calls MPI_Finalize. */
    void (*end)(void);
    /* Ends all ranks. */
    void (*abort)(int status);
} lm_mpi_module;

#endif
