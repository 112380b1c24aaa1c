/*
 * What the program asks of MPI. The functions are in a module, a shared object for one MPI library, which the program
 * loads where it was started by mpirun or srun: so it needs no MPI elsewhere, and one build serves several of them.
 */
#ifndef LM_MPI_MODULE_H
#define LM_MPI_MODULE_H

#include "leman.h"

#define LM_MPI_MODULE_SYMBOL "leman_mpi_module"

typedef struct lm_mpi_module {
    const char *version; /* of Leman: that of the program, or it is another's */
    /* MPI_Init and all that; communicator is the default before. stop: asked while ranks wait. local: how many ranks
     * this computer has, and which of them this is. */
    leman_status (*begin)(bool (*stop)(void), leman_communicator *communicator, size_t local[2]);
    /* Lets MPI get on with what other ranks want. */
    void (*poll)(void);
    /* At the end of the work, whether it failed or not. The lowest rank that failed; ranks where none did; -1 where
     * others did not come here within so many seconds. 0: waits for ever. */
    int (*finish)(bool failed, double seconds);
    /* MPI_Finalize. */
    void (*end)(void);
    /* Ends all ranks. */
    void (*abort)(int status);
} lm_mpi_module;

#endif
