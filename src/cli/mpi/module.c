/* The module for one MPI library, as module.h describes it. A process loads one module, so its state is static. */
#include "cli/mpi/module.h"
#include "leman/mpi.h"
#include <time.h>

#define LM_STRING(x) #x
#define LM_VERSION(major, minor, patch) LM_STRING(major) "." LM_STRING(minor) "." LM_STRING(patch)

static leman_mpi mpi;
static MPI_Comm ends = MPI_COMM_NULL; /* used by finish() */

static leman_status begin(bool (*stop)(void), leman_communicator *communicator, size_t local[2])
{
    int provided, count = 1, rank = 0;
    MPI_Comm node;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided)) return LEMAN_ERROR_NETWORK;
    leman_status st = leman_mpi_open(MPI_COMM_WORLD, &mpi, communicator);
    if (st) return st;
    mpi.stop = stop;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &ends)) return LEMAN_ERROR_NETWORK;
    if (!MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node)) {
        MPI_Comm_size(node, &count);
        MPI_Comm_rank(node, &rank);
        MPI_Comm_free(&node);
    }
    local[0] = (size_t)count;
    local[1] = (size_t)rank;
    return LEMAN_OK;
}

static void poll_once(void)
{
    leman_mpi_poll(&mpi);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int finish(bool failed, double seconds)
{
    const double began = now();
    const int mine = failed ? mpi.rank : mpi.ranks;
    int first = -1, done = 0;
    MPI_Request request;
    if (mpi.given_up) return -1;
    if (MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, ends, &request)) return -1;
    while (!MPI_Test(&request, &done, MPI_STATUS_IGNORE) && !done) {
        if (seconds > 0 && now() - began > seconds) return -1;
        leman_mpi_poll(&mpi); /* other ranks may still ask for tasks */
        poll(NULL, 0, 1);
    }
    return done ? first : -1;
}

static void end(void)
{
    leman_mpi_close(&mpi);
    if (ends != MPI_COMM_NULL) MPI_Comm_free(&ends);
    MPI_Finalize();
}

/* Ends all ranks. Waits first, since a launcher that ends all processes may drop output that was just printed. */
static void abort_all(int status)
{
    poll(NULL, 0, 500);
    MPI_Abort(MPI_COMM_WORLD, status);
}

const lm_mpi_module *leman_mpi_module(void);
__attribute__((visibility("default"))) const lm_mpi_module *leman_mpi_module(void)
{
    static const lm_mpi_module MODULE = {
        LM_VERSION(LEMAN_VERSION_MAJOR, LEMAN_VERSION_MINOR, LEMAN_VERSION_PATCH),
        begin,
        poll_once,
        finish,
        end,
        abort_all,
    };
    return &MODULE;
}
