/*
 * A program with its own MPI: it splits its ranks into two groups, and each group lets the library compute a Gram
 * matrix together, at the same time as it has messages of its own under way. test_mpi.py compiles and runs it. Prints
 * "same" where every rank of every group has the matrix of one context alone.
 */
#include <leman.h>
#include <leman/mpi.h>
#include <stdio.h>

enum { GRAPHS = 40 };

static int compute(const leman_communicator *communicator, double *matrix)
{
    leman_context *ctx = NULL;
    leman_dataset *data = NULL;
    leman_settings settings = leman_settings_default();
    leman_family_options family = leman_family_options_default();
    const leman_kernel kernel = leman_kernel_default();
    settings.threads = 1;
    settings.communicator = communicator;
    family.graphs = GRAPHS;
    if (leman_context_new(&settings, &ctx)) return 1;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &family, &data);
    if (!st) st = leman_gram_compute(ctx, data, NULL, &kernel, 1, true, matrix);
    if (st) fprintf(stderr, "%s\n", leman_context_message(ctx));
    if (communicator && communicator->ranks > 1 && !leman_context_traffic(ctx).sent) st = LEMAN_ERROR_INTERNAL;
    leman_dataset_free(data);
    leman_context_free(ctx);
    return st != LEMAN_OK;
}

int main(int count, char **arguments)
{
    static double alone[GRAPHS * GRAPHS], together[GRAPHS * GRAPHS];
    leman_communicator communicator = leman_communicator_default();
    leman_mpi mpi;
    MPI_Comm half;
    MPI_Request request;
    int rank, ranks, wrong, all, mine, other = -1;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Irecv(&other, 1, MPI_INT, (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD, &request);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    wrong = leman_mpi_open(half, &mpi, &communicator) != LEMAN_OK;
    wrong = wrong || compute(NULL, alone) || compute(&communicator, together);
    wrong = wrong || memcmp(alone, together, sizeof alone);
    leman_mpi_close(&mpi);
    MPI_Comm_free(&half);
    mine = rank;
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % ranks, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong = wrong || other != (rank + ranks - 1) % ranks;
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank) puts(all ? "different" : "same");
    MPI_Finalize();
    return 0;
}
