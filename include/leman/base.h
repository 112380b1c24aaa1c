/*
 * leman/base.h - version, status and context, which every call uses, and the rules that hold for all public headers.
 *
 * Arguments. A pointer may be NULL only if its comment says so. Any other NULL, a value outside its enum and an option
 * out of range fail with LEMAN_ERROR_ARGUMENT and a message. For such arguments, a function that returns no status
 * returns NULL, 0, "" or an empty value.
 *
 * Ownership. An object that the library makes is returned through a `leman_X **`, which is left untouched on failure.
 * The caller owns the object and frees it with leman_X_free(), which accepts NULL. Unless its comment says otherwise,
 * the object may outlive its context, but not the allocator hooks of the context. Every other pointer that a function
 * returns belongs to the object that was passed to the function.
 *
 * Binary compatibility. A program can run with every later library of the same SONAME:
 *   - Structs that callers fill start with `size`, which leman_X_init() or leman_X_default() sets. New members go to
 *     the end. Members that a program does not know keep their defaults; members that a library does not know must be
 *     zero.
 *   - Structs that leman_X_free() frees, and structs behind a pointer that the library returns, may get new members at
 *     the end: never copy such a struct, never make arrays of it.
 *   - All other structs, enum values and functions do not change. An enum may get new values at its end. `reserved`
 *     members are 0.
 *
 * Threads. One thread at a time uses a context and the objects that are being made with it. Different contexts may be
 * used at the same time. Any number of threads may read finished data sets, models and networks. leman_settings says on
 * which threads callbacks are called.
 */
#ifndef LEMAN_BASE_H
#define LEMAN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define LEMAN_API __attribute__((visibility("default")))
#else
#define LEMAN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version and status ---------------------------------------------------------------------- */

#define LEMAN_VERSION_MAJOR 0
#define LEMAN_VERSION_MINOR 1
#define LEMAN_VERSION_PATCH 0

/* Returns the version of the library that is running: "0.1.0". */
LEMAN_API const char *leman_version(void);

typedef enum leman_status {
    LEMAN_OK = 0,
    LEMAN_ERROR_MEMORY,      /* an allocation failed */
    LEMAN_ERROR_BUDGET,      /* the work would need more than the memory budget */
    LEMAN_ERROR_ARGUMENT,    /* the caller asked for something that does not exist */
    LEMAN_ERROR_INPUT,       /* a file or a graph violates its format */
    LEMAN_ERROR_FILE,        /* the system refused to open, read, write or rename a file */
    LEMAN_ERROR_NETWORK,     /* a download or the communication between ranks failed */
    LEMAN_ERROR_CANCELLED,   /* the progress callback returned false */
    LEMAN_ERROR_UNSUPPORTED, /* this build or this machine does not have an optional part */
    LEMAN_ERROR_INTERNAL,    /* the library found an error in itself; please report it */
    LEMAN_ERROR_DEVICE       /* a GPU is missing, too old or failed */
} leman_status;
#define LEMAN_STATUS_COUNT 11

/* ---- Context --------------------------------------------------------------------------------- */

typedef struct leman_context leman_context;

typedef struct leman_progress {
    const char *task;     /* for example "reading NCI1_A.txt" */
    uint64_t done, total; /* total is 0 if it is not known */
    double seconds;       /* since the task began */
} leman_progress;

/* The bits of the mantissa in networks on CUDA devices. FP32: 23 for all numbers, as on the CPU. TF32: 10 for the
 * factors of matrix products, 23 for sums and all other numbers. BF16: 7 for stored values of tuples, vertices and
 * arcs, 23 for weights, statistics and sums. Errors of the validation and test sets are computed in FP32. */
typedef enum leman_precision { LEMAN_PRECISION_TF32, LEMAN_PRECISION_FP32, LEMAN_PRECISION_BF16 } leman_precision;
#define LEMAN_PRECISION_COUNT 3

/*
 * Ranks: processes, or threads with one context each, that do one computation together, like the ranks of an MPI
 * program. The library calls the functions of this struct and does not use MPI itself; leman/mpi.h makes the struct
 * from an MPI_Comm. Every rank must make the same calls with equal arguments in the same order. All ranks get the same
 * results; if a call fails on one rank, it fails on all ranks with the same status. Before any work the ranks compare
 * checksums of the library version, the seed, the options and the data. If a rank differs from rank 0, the call fails
 * on all ranks with LEMAN_ERROR_INPUT and a message that names the rank. Only rank 0 writes files, unless `write` is
 * set. Every rank reads files itself, except standard input, which rank 0 reads for all.
 *
 * Each function returns LEMAN_OK when this rank may continue, or the reason why the rank cannot. The library calls the
 * functions on the thread that made the call. All ranks call them in the same order, except `next`.
 */
typedef struct leman_communicator {
    size_t size;        /* leman_communicator_init() sets it */
    size_t rank, ranks; /* rank 0 .. ranks-1 */
    void *state;        /* first argument of the functions */
    /* Concatenates the bytes[r] bytes `mine` of each rank r into `all`; bytes is equal on all ranks. (Allgatherv) */
    leman_status (*gather)(void *state, const void *mine, const size_t *bytes, void *all);
    /* Sends send_bytes[r] bytes to each rank r and receives receive_bytes[r] bytes from it. Both buffers hold the bytes
     * of rank 0, then those of rank 1, and so on. (Alltoallv) */
    leman_status (*exchange)(void *state, const void *send, const size_t *send_bytes, void *receive,
                             const size_t *receive_bytes);
    /* Each rank writes its bytes at its own offset of one existing file. NULL: rank 0 writes everything. */
    leman_status (*write)(void *state, const char *path, uint64_t offset, const void *bytes, size_t count);
    /* Sets *number to the number of calls of `next` by all ranks before this one; ranks that are free take the next
     * task by it. NULL: tasks are distributed in turn. */
    leman_status (*next)(void *state, uint64_t *number);
} leman_communicator;

LEMAN_API void leman_communicator_init(leman_communicator *communicator, size_t size);
/* Returns a communicator of one rank. */
static inline leman_communicator leman_communicator_default(void)
{
    leman_communicator communicator;
    leman_communicator_init(&communicator, sizeof communicator);
    return communicator;
}

typedef struct leman_settings {
    size_t size;   /* leman_settings_init() sets it */
    int threads;   /* 0: all processors of the machine; fewer are used if the system does not let so many start */
    size_t memory; /* budget in bytes for the context's allocations and Gram matrices; 0: three quarters of what is
                    * free. Beyond it, and 4 MiB for bookkeeping, calls fail with LEMAN_ERROR_BUDGET */
    uint64_t seed; /* of all random numbers */

    /* Set all three or none; none means malloc, realloc, free. allocate and reallocate may return NULL. All three are
     * called from the caller's thread and from threads of the library, several at the same time. */
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *pointer, size_t size);
    void (*release)(void *user, void *pointer);
    void *allocator_user;

    /* Both may be NULL. They are called only on the thread that made the call, before the call returns, and must not
     * use the context. progress is called a few times a second, and before every wait for a pipe; if it returns false,
     * the call fails with LEMAN_ERROR_CANCELLED. log gets one sentence, without a newline, about something that the
     * library noticed or changed. */
    bool (*progress)(void *user, const leman_progress *progress);
    void (*log)(void *user, const char *message);
    void *callback_user;

    /* Bytes of `memory` that the calling program itself uses; 0 if all of `memory` is for the library. */
    size_t memory_held;

    /* The device that computes networks and the colours of data sets: "cpu", "cuda" (the first CUDA device), "cuda:1"
     * (the second), "auto" (the first CUDA device if there is one, otherwise the CPU), or for training a list such as
     * "cuda:0,cuda:1"; NULL: "cpu". A call that computes fails with LEMAN_ERROR_ARGUMENT if the name is unknown, and
     * with LEMAN_ERROR_UNSUPPORTED if the build or the machine does not have the device. */
    const char *device;
    size_t device_memory;      /* bytes of a CUDA device that a call may use; 0: all that are free */
    leman_precision precision; /* of networks on CUDA devices */

    /* The ranks that this context works with; the struct is copied. NULL: the context works alone. */
    const leman_communicator *communicator;
} leman_settings;

LEMAN_API void leman_settings_init(leman_settings *settings, size_t size);
static inline leman_settings leman_settings_default(void)
{
    leman_settings settings;
    leman_settings_init(&settings, sizeof settings);
    return settings;
}

/* Makes a context. The settings are copied; NULL: the defaults. Fails with LEMAN_ERROR_ARGUMENT, without a message, if
 * the number of threads is negative, if only one or two allocator hooks are set, if a communicator has rank >= ranks or
 * several ranks without gather or exchange, or if `size` was not set by leman_settings_init(). */
LEMAN_API leman_status leman_context_new(const leman_settings *settings, leman_context **out);
/* Frees a context. Its leman_builder, leman_stream, leman_predictor and leman_feature_matrix must be freed before. */
LEMAN_API void leman_context_free(leman_context *context);

/* Return the message of the last failure, "" if there was none, and the system's errno (EPIPE, ENOENT) of the last
 * failure, 0 if the system did not cause it. The message belongs to the context and is valid until its next call. */
LEMAN_API const char *leman_context_message(const leman_context *context);
LEMAN_API int leman_context_errno(const leman_context *context);

/* What this rank has exchanged with other ranks, and its share of the work, since its context was made. */
typedef struct leman_traffic {
    uint64_t calls;          /* of the functions of the communicator */
    uint64_t messages;       /* one for each other rank that a call sends bytes to */
    uint64_t sent, received; /* bytes, without those that a rank sends to itself */
    uint64_t work;           /* of this rank's graphs or tasks: their tuples, or another measure of their cost */
} leman_traffic;
/* Returns the counters of this rank; all are 0 for a context that works alone. */
LEMAN_API leman_traffic leman_context_traffic(const leman_context *context);

/* ---- Names of enum values -------------------------------------------------------------------- */

/*
 * The values of every enum leman_X are 0 .. LEMAN_X_COUNT - 1. leman_X_name() returns the name of a value, or "unknown"
 * for any other number. Enums that are options also have leman_X_parse(), which finds the value with a given name; an
 * unknown name fails with LEMAN_ERROR_ARGUMENT and a message that lists all names.
 */

/* Returns a short description of a status, such as "out of memory". */
LEMAN_API const char *leman_status_name(leman_status status);

/* The kind of device that computes a network. */
typedef enum leman_device { LEMAN_DEVICE_CPU, LEMAN_DEVICE_CUDA } leman_device;
#define LEMAN_DEVICE_COUNT 2
/* Names: "cpu", "cuda". */
LEMAN_API const char *leman_device_name(leman_device device);

/* ---- CUDA devices ---------------------------------------------------------------------------- */

/* Returns the version of CUDA that the library was built with, "13.0"; NULL if it was built without CUDA. */
LEMAN_API const char *leman_cuda_version(void);
/* Returns the number of CUDA devices that CUDA_VISIBLE_DEVICES allows; 0 if there is no driver or the library was built
 * without CUDA. */
LEMAN_API size_t leman_cuda_devices(void);

typedef struct leman_cuda_device {
    char name[256];
    int major, minor; /* compute capability */
    int multiprocessors;
    uint64_t memory; /* bytes, used and free */
} leman_cuda_device;
/* Describes the device "cuda:NUMBER", counted from 0. Fails with LEMAN_ERROR_UNSUPPORTED if it does not exist. */
LEMAN_API leman_status leman_cuda_device_describe(leman_context *ctx, size_t number, leman_cuda_device *device);

/* Names: "tf32", "fp32", "bf16". */
LEMAN_API const char *leman_precision_name(leman_precision precision);
LEMAN_API leman_status leman_precision_parse(leman_context *ctx, const char *name, leman_precision *precision);

#ifdef __cplusplus
}
#endif
#endif
