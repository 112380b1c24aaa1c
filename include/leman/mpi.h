/*
 * leman/mpi.h - makes a leman_communicator from an MPI_Comm, for programs that use MPI. leman.h does not include this
 * header: the library does not use MPI, and the program compiles the header with its own MPI. The program calls
 * MPI_Init and MPI_Finalize. All messages use a duplicate of its communicator.
 *
 *   leman_mpi mpi;
 *   leman_communicator communicator = leman_communicator_default();
 *   leman_settings settings = leman_settings_default();
 *   if (leman_mpi_open(MPI_COMM_WORLD, &mpi, &communicator)) MPI_Abort(MPI_COMM_WORLD, 1);
 *   settings.communicator = &communicator;
 *   leman_context_new(&settings, &ctx);         every rank makes the same calls from here on
 *   ...
 *   leman_context_free(ctx);
 *   leman_mpi_close(&mpi);
 *
 * Needs MPI 3 or later. A rank that waits yields its processor and then sleeps, so ranks may outnumber cores. Rank 0
 * should call leman_mpi_poll() in its progress callback, so that other ranks get their next task during long steps.
 */
#ifndef LEMAN_MPI_H
#define LEMAN_MPI_H

#include "leman/base.h"
#include <limits.h>
#include <mpi.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct leman_mpi {
    MPI_Comm comm; /* a duplicate of the caller's communicator */
    uint64_t next; /* number of the next task; on rank 0 */
    int rank, ranks;
    int *counts;        /* [2 * ranks] for MPI calls */
    bool (*stop)(void); /* called while waiting: true ends the call with LEMAN_ERROR_CANCELLED; NULL: never */
    bool given_up;      /* a call was cancelled, and MPI may still use its memory: the process must call MPI_Abort() */
} leman_mpi;

/* Largest message, in bytes. */
#define LEMAN_MPI_PIECE ((size_t)1 << 30)
/* Seconds that a rank whose stop() returns true still waits, so that all ranks can learn of it in the next call, before
 * it leaves the others in the middle of this call. */
#define LEMAN_MPI_PATIENCE 5

/* Message tags: data of exchange and gather; a request to rank 0 for the next task; its answer. */
enum { LEMAN_MPI_BYTES = 1, LEMAN_MPI_ASKS, LEMAN_MPI_TASK };

/* On rank 0, answers all requests for the next task that have arrived; does nothing on other ranks. */
static inline leman_status leman_mpi_serve(leman_mpi *mpi)
{
    for (int asked = !mpi->rank; asked;) {
        MPI_Status from;
        if (MPI_Iprobe(MPI_ANY_SOURCE, LEMAN_MPI_ASKS, mpi->comm, &asked, &from)) return LEMAN_ERROR_NETWORK;
        if (!asked) break;
        if (MPI_Recv(NULL, 0, MPI_BYTE, from.MPI_SOURCE, LEMAN_MPI_ASKS, mpi->comm, MPI_STATUS_IGNORE) ||
            MPI_Send(&mpi->next, 1, MPI_UINT64_T, from.MPI_SOURCE, LEMAN_MPI_TASK, mpi->comm))
            return LEMAN_ERROR_NETWORK;
        mpi->next++;
    }
    return LEMAN_OK;
}

/* Waits until all requests are done; rank 0 answers requests for tasks meanwhile. */
static inline leman_status leman_mpi_wait(leman_mpi *mpi, int count, MPI_Request *requests)
{
    unsigned turn = 0;
    double asked = 0;
    for (int i = 0; i < count; turn++) {
        int done = 0;
        if (MPI_Test(requests + i, &done, MPI_STATUS_IGNORE)) return LEMAN_ERROR_NETWORK;
        i += done != 0;
        if (done) continue;
        if (leman_mpi_serve(mpi)) return LEMAN_ERROR_NETWORK;
        if (mpi->stop && mpi->stop()) {
            const double now = MPI_Wtime();
            if (asked == 0) asked = now;
            mpi->given_up = now - asked > LEMAN_MPI_PATIENCE;
            if (mpi->given_up) return LEMAN_ERROR_CANCELLED;
        }
        if (turn < 4000)
            sched_yield();
        else
            poll(NULL, 0, 1);
    }
    return LEMAN_OK;
}

/* Sends to each rank its part of `send`, or all of `send` if `same`, in messages of at most LEMAN_MPI_PIECE bytes. */
static inline leman_status leman_mpi_pieces(leman_mpi *mpi, const char *send, const size_t *send_bytes, bool same,
                                            char *receive, const size_t *receive_bytes)
{
    size_t pieces = 0, made = 0;
    leman_status st = LEMAN_OK;
    for (int r = 0; r < mpi->ranks; r++)
        pieces += send_bytes[r] / LEMAN_MPI_PIECE + receive_bytes[r] / LEMAN_MPI_PIECE + 2;
    MPI_Request *requests = (MPI_Request *)malloc(pieces * sizeof *requests);
    if (!requests || pieces > INT_MAX) st = LEMAN_ERROR_MEMORY;
    for (int r = 0; r < mpi->ranks && !st; r++) {
        for (size_t at = 0; at < receive_bytes[r] && r != mpi->rank && !st; at += LEMAN_MPI_PIECE) {
            const size_t rest = receive_bytes[r] - at, size = rest < LEMAN_MPI_PIECE ? rest : LEMAN_MPI_PIECE;
            if (MPI_Irecv(receive + at, (int)size, MPI_BYTE, r, LEMAN_MPI_BYTES, mpi->comm, requests + made++))
                st = LEMAN_ERROR_NETWORK;
        }
        receive += receive_bytes[r];
    }
    for (int r = 0; r < mpi->ranks && !st; r++) {
        for (size_t at = 0; at < send_bytes[r] && r != mpi->rank && !st; at += LEMAN_MPI_PIECE) {
            const size_t rest = send_bytes[r] - at, size = rest < LEMAN_MPI_PIECE ? rest : LEMAN_MPI_PIECE;
            if (MPI_Isend(send + at, (int)size, MPI_BYTE, r, LEMAN_MPI_BYTES, mpi->comm, requests + made++))
                st = LEMAN_ERROR_NETWORK;
        }
        if (!same) send += send_bytes[r];
    }
    if (!st) st = leman_mpi_wait(mpi, (int)made, requests);
    free(requests);
    return st;
}

static inline leman_status leman_mpi_exchange(void *state, const void *send, const size_t *send_bytes, void *receive,
                                              const size_t *receive_bytes)
{
    leman_mpi *mpi = (leman_mpi *)state;
    const char *from = (const char *)send;
    char *to = (char *)receive;
    for (int r = 0; r < mpi->rank; r++) {
        from += send_bytes[r];
        to += receive_bytes[r];
    }
    if (send_bytes[mpi->rank]) memcpy(to, from, send_bytes[mpi->rank]);
    return leman_mpi_pieces(mpi, (const char *)send, send_bytes, false, (char *)receive, receive_bytes);
}

static inline leman_status leman_mpi_gather(void *state, const void *mine, const size_t *bytes, void *all)
{
    leman_mpi *mpi = (leman_mpi *)state;
    size_t sum = 0, own = 0;
    for (int r = 0; r < mpi->ranks; r++) {
        if (r == mpi->rank) own = sum;
        if (bytes[r] <= INT_MAX && sum <= INT_MAX) {
            mpi->counts[r] = (int)bytes[r];
            mpi->counts[mpi->ranks + r] = (int)sum;
        }
        sum += bytes[r];
    }
    if (sum <= INT_MAX) {
        MPI_Request request;
        if (MPI_Iallgatherv(mine, mpi->counts[mpi->rank], MPI_BYTE, all, mpi->counts, mpi->counts + mpi->ranks,
                            MPI_BYTE, mpi->comm, &request))
            return LEMAN_ERROR_NETWORK;
        return leman_mpi_wait(mpi, 1, &request);
    }
    size_t *send = (size_t *)malloc((size_t)mpi->ranks * sizeof *send);
    if (!send) return LEMAN_ERROR_MEMORY;
    for (int r = 0; r < mpi->ranks; r++) send[r] = bytes[mpi->rank];
    if (bytes[mpi->rank]) memcpy((char *)all + own, mine, bytes[mpi->rank]);
    leman_status st = leman_mpi_pieces(mpi, (const char *)mine, send, true, (char *)all, bytes);
    free(send);
    return st;
}

/* Writes by MPI-IO after all ranks have arrived; until then, rank 0 answers requests for tasks. */
static inline leman_status leman_mpi_write(void *state, const char *path, uint64_t offset, const void *bytes,
                                           size_t count)
{
    leman_mpi *mpi = (leman_mpi *)state;
    MPI_Request all;
    MPI_File file;
    int error = 0;
    if (MPI_Ibarrier(mpi->comm, &all)) return LEMAN_ERROR_NETWORK;
    const leman_status st = leman_mpi_wait(mpi, 1, &all);
    if (st) return st;
    if (MPI_File_open(mpi->comm, path, MPI_MODE_WRONLY, MPI_INFO_NULL, &file)) return LEMAN_ERROR_FILE;
    for (size_t at = 0; at < count && !error; at += LEMAN_MPI_PIECE) {
        const size_t size = count - at < LEMAN_MPI_PIECE ? count - at : LEMAN_MPI_PIECE;
        MPI_Status done;
        int put = 0;
        error =
            MPI_File_write_at(file, (MPI_Offset)(offset + at), (const char *)bytes + at, (int)size, MPI_BYTE, &done);
        if (!error) error = MPI_Get_count(&done, MPI_BYTE, &put) || (size_t)put != size;
    }
    if (MPI_File_close(&file)) error = 1;
    return error ? LEMAN_ERROR_FILE : LEMAN_OK;
}

/* Gets the number from rank 0 by messages. (A counter in a window of its memory would need no answer, but Open MPI 4.1
 * gives windows of groups on one node the same file if they are made at the same time.) */
static inline leman_status leman_mpi_next(void *state, uint64_t *number)
{
    leman_mpi *mpi = (leman_mpi *)state;
    MPI_Request answer;
    if (!mpi->rank) {
        *number = mpi->next++;
        return leman_mpi_serve(mpi);
    }
    if (MPI_Irecv(number, 1, MPI_UINT64_T, 0, LEMAN_MPI_TASK, mpi->comm, &answer) ||
        MPI_Send(NULL, 0, MPI_BYTE, 0, LEMAN_MPI_ASKS, mpi->comm))
        return LEMAN_ERROR_NETWORK;
    return leman_mpi_wait(mpi, 1, &answer);
}

/* Answers waiting requests for the next task, on rank 0. If this fails, the next call fails too. */
static inline void leman_mpi_poll(leman_mpi *mpi)
{
    (void)leman_mpi_serve(mpi);
}

/* Frees what leman_mpi_open() allocated. All ranks must call it, after their contexts are freed. */
static inline void leman_mpi_close(leman_mpi *mpi)
{
    if (mpi->comm != MPI_COMM_NULL) MPI_Comm_free(&mpi->comm);
    free(mpi->counts);
    mpi->counts = NULL;
}

/* Opens *mpi and sets the functions of *communicator, which comes from leman_communicator_default(). All ranks of comm
 * must call it. *mpi must not be moved, and must stay open as long as *communicator is used. Fails with
 * LEMAN_ERROR_NETWORK or LEMAN_ERROR_MEMORY. */
static inline leman_status leman_mpi_open(MPI_Comm comm, leman_mpi *mpi, leman_communicator *communicator)
{
    mpi->comm = MPI_COMM_NULL;
    mpi->counts = NULL;
    mpi->next = 0;
    mpi->stop = NULL;
    mpi->given_up = false;
    if (MPI_Comm_dup(comm, &mpi->comm)) return LEMAN_ERROR_NETWORK;
    MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(mpi->comm, &mpi->rank);
    MPI_Comm_size(mpi->comm, &mpi->ranks);
    mpi->counts = (int *)malloc(2 * (size_t)mpi->ranks * sizeof *mpi->counts);
    if (!mpi->counts) {
        leman_mpi_close(mpi);
        return LEMAN_ERROR_MEMORY;
    }
    communicator->rank = (size_t)mpi->rank;
    communicator->ranks = (size_t)mpi->ranks;
    communicator->state = mpi;
    communicator->gather = leman_mpi_gather;
    communicator->exchange = leman_mpi_exchange;
    communicator->write = leman_mpi_write;
    communicator->next = leman_mpi_next;
    return LEMAN_OK;
}

#ifdef __cplusplus
}
#endif
#endif
