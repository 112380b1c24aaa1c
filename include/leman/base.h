/*
 * leman/base.h - version, status, context: what every call shares, and the rules that hold for all headers.
 *
 * Arguments. A pointer may be NULL only where its comment says so. NULL elsewhere, a value that is not one of its enum,
 * or an option out of range is LEMAN_ERROR_ARGUMENT with a sentence. Functions that return no status return NULL, 0, ""
 * or an empty value then.
 *
 * Ownership. Whatever the library makes comes back through a `leman_X **`, which stays untouched on failure, belongs to
 * the caller, and is freed with leman_X_free(), which takes NULL too. It needs the allocator hooks of its context, and
 * nothing else of it. Other pointers that the library hands out belong to the object that they were asked of.
 *
 * Binary compatibility. A program stays able to run with every later library of the same SONAME:
 *   - Structs that callers fill open with `size`, which leman_X_init() or leman_X_default() sets. New members go to the
 *     end: those that a program does not know keep their defaults, and those that a library does not know must be zero.
 *   - Structs that leman_X_free() frees, and those behind a pointer that the library returns, may get new members at
 *     the end: never copy them, never make arrays of them.
 *   - All other structs, enum values and functions stay as they are; an enum may get new values at its end. `reserved`
 *     members are 0.
 *
 * Threads. One thread at a time uses a context and the objects that are being made with it; different contexts may be
 * used at the same time. Finished data sets, models and networks are read only, by any number of threads. What each
 * callback may expect is said in leman_settings.
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

/* "0.1.0", of the library that is running. */
LEMAN_API const char *leman_version(void);

typedef enum leman_status {
    LEMAN_OK = 0,
    LEMAN_ERROR_MEMORY,      /* an allocation failed */
    LEMAN_ERROR_BUDGET,      /* the work would need more than the memory budget */
    LEMAN_ERROR_ARGUMENT,    /* the caller asked for something that does not exist */
    LEMAN_ERROR_INPUT,       /* a file or a graph is not what its format promises */
    LEMAN_ERROR_FILE,        /* the system refused to open, read, write or rename a file */
    LEMAN_ERROR_NETWORK,     /* a download failed */
    LEMAN_ERROR_CANCELLED,   /* the progress callback returned false */
    LEMAN_ERROR_UNSUPPORTED, /* an optional part is not in this build */
    LEMAN_ERROR_INTERNAL,    /* a check of the library on itself failed; please report it */
    LEMAN_ERROR_DEVICE       /* a GPU is missing, too old or failed */
} leman_status;
#define LEMAN_STATUS_COUNT 11

/* ---- Context --------------------------------------------------------------------------------- */

typedef struct leman_context leman_context;

typedef struct leman_progress {
    const char *task;     /* what is being done: "reading NCI1_A.txt" */
    uint64_t done, total; /* total is 0 where it is not known */
    double seconds;       /* since the task began */
} leman_progress;

/* How networks compute on CUDA devices. TF32: factors of matrix products have 10 bits behind the point, sums and
 * everything else 23. FP32: 23 throughout, as on the CPU. BF16: values of tuples, vertices and arcs are stored with 7;
 * weights, statistics and sums as before. Errors of the validation and test sets are computed in FP32. */
typedef enum leman_precision { LEMAN_PRECISION_TF32, LEMAN_PRECISION_FP32, LEMAN_PRECISION_BF16 } leman_precision;
#define LEMAN_PRECISION_COUNT 3

/*
 * Ranks: processes, or threads with a context each, that do one piece of work together, as those of an MPI program.
 * The library calls these functions and knows no MPI itself; leman/mpi.h makes them from an MPI_Comm. Every rank makes
 * the same calls with equal arguments in the same order, gets the same results and, where a call fails on one rank, the
 * same failure. Before any work the ranks compare checksums of the version of the library, the seed, the options and
 * the data: where a rank differs from rank 0, the call is LEMAN_ERROR_INPUT on all of them, with a sentence that names
 * the rank. Files are written once: what ranks above 0 would write is thrown away. They read files themselves, but
 * for standard input, which is that of rank 0.
 *
 * Each function returns when this rank may go on, LEMAN_OK or why it cannot. They are called on the thread that made
 * the call, by all ranks in the same order, but for next.
 */
typedef struct leman_communicator {
    size_t size;        /* leman_communicator_init() sets it */
    size_t rank, ranks; /* rank 0 .. ranks-1 */
    void *state;        /* for the functions */
    /* What every rank gave, one after the other, in all: bytes[ranks] of each, which all ranks know. (Allgatherv) */
    leman_status (*gather)(void *state, const void *mine, const size_t *bytes, void *all);
    /* To each rank r send_bytes[r] bytes of send, and from each receive_bytes[r] into receive, both one after the
     * other. (Alltoallv) */
    leman_status (*exchange)(void *state, const void *send, const size_t *send_bytes, void *receive,
                             const size_t *receive_bytes);
    /* Each rank writes its bytes at its own place of one file that exists. NULL: rank 0 writes everything. */
    leman_status (*write)(void *state, const char *path, uint64_t offset, const void *bytes, size_t count);
    /* How many of these calls any rank has made before, at any time: tasks are handed out to those that are free. NULL:
     * they are dealt out in turn. */
    leman_status (*next)(void *state, uint64_t *number);
} leman_communicator;

LEMAN_API void leman_communicator_init(leman_communicator *communicator, size_t size);
/* One rank. */
static inline leman_communicator leman_communicator_default(void)
{
    leman_communicator communicator;
    leman_communicator_init(&communicator, sizeof communicator);
    return communicator;
}

typedef struct leman_settings {
    size_t size;   /* leman_settings_init() sets it */
    int threads;   /* 0: all that the machine has; fewer are used where the system does not let so many start */
    size_t memory; /* bytes that the context's blocks may take, and Gram matrices; 0: three quarters of what is free.
                    * Past it, but for 4 MiB of bookkeeping, calls end in LEMAN_ERROR_BUDGET */
    uint64_t seed; /* of everything random */

    /* All three or none; none means malloc, realloc, free. allocate and reallocate may return NULL. They are called
     * from the caller's thread and from the library's own ones, from several at the same time. */
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *pointer, size_t size);
    void (*release)(void *user, void *pointer);
    void *allocator_user;

    /* Both only ever on the thread that made the call, and before it returns; NULL: none. They must not use the
     * context. progress is called a few times a second, and before every wait for a pipe; false stops the work with
     * LEMAN_ERROR_CANCELLED. log gets one sentence about something that was noticed or changed, without a newline. */
    bool (*progress)(void *user, const leman_progress *progress);
    void (*log)(void *user, const char *message);
    void *callback_user;

    /* Bytes of `memory` that the program around the library takes; 0 where `memory` is the library's alone. */
    size_t memory_held;

    /* Where networks compute, and colours of data sets: "cpu", "cuda" (the first CUDA device), "cuda:1" (the second),
     * "auto" (the first CUDA device where there is one, else the CPU); NULL: "cpu". The call that computes refuses
     * other names with LEMAN_ERROR_ARGUMENT, and what the build or the machine does not have with
     * LEMAN_ERROR_UNSUPPORTED. */
    const char *device;
    size_t device_memory;      /* bytes of a CUDA device that a call may take; 0: what is free on it */
    leman_precision precision; /* of networks on CUDA devices */

    /* The ranks that this context is one of; it is copied. NULL: it works alone. */
    const leman_communicator *communicator;
} leman_settings;

LEMAN_API void leman_settings_init(leman_settings *settings, size_t size);
static inline leman_settings leman_settings_default(void)
{
    leman_settings settings;
    leman_settings_init(&settings, sizeof settings);
    return settings;
}

/* settings NULL: the default; they are copied. There is no context yet to hold a sentence: LEMAN_ERROR_ARGUMENT stands
 * for fewer than 0 threads, one or two allocator hooks, a communicator without gather, exchange or a rank below its
 * ranks, or a size that leman_settings_init() did not set. */
LEMAN_API leman_status leman_context_new(const leman_settings *settings, leman_context **out);
/* After everything that is still being made with it: a leman_builder. */
LEMAN_API void leman_context_free(leman_context *context);

/* Of the last failure: its sentence, "" if there was none; and the system's errno (EPIPE, ENOENT) where the system
 * refused something, else 0. The sentence belongs to the context and is valid until its next call. */
LEMAN_API const char *leman_context_message(const leman_context *context);
LEMAN_API int leman_context_errno(const leman_context *context);

/* What this rank has done together with the others since its context was made. */
typedef struct leman_traffic {
    uint64_t calls;          /* of the functions of the communicator */
    uint64_t messages;       /* to other ranks, one for each that something is sent to */
    uint64_t sent, received; /* bytes, without what stays on the rank */
    uint64_t work;           /* of the graphs that were this rank's part: their tuples, or what stands for their cost */
} leman_traffic;
/* All 0 where it works alone. */
LEMAN_API leman_traffic leman_context_traffic(const leman_context *context);

/* ---- Names of enum values -------------------------------------------------------------------- */

/*
 * The values of every enum leman_X are 0 .. LEMAN_X_COUNT - 1. leman_X_name() returns the name of a value, or "unknown"
 * for any other number. Enums that options choose from also have leman_X_parse(), which finds the value with a name; an
 * unknown name is LEMAN_ERROR_ARGUMENT, and the message lists all names.
 */

/* A few words: "out of memory". */
LEMAN_API const char *leman_status_name(leman_status status);

/* Where a network computes. */
typedef enum leman_device { LEMAN_DEVICE_CPU, LEMAN_DEVICE_CUDA } leman_device;
#define LEMAN_DEVICE_COUNT 2
/* "cpu", "cuda". */
LEMAN_API const char *leman_device_name(leman_device device);

/* ---- CUDA devices ---------------------------------------------------------------------------- */

/* The version of CUDA that the library was built with: "13.0"; NULL where it was built without. */
LEMAN_API const char *leman_cuda_version(void);
/* How many CUDA devices there are, those that CUDA_VISIBLE_DEVICES leaves; 0 also without a driver. */
LEMAN_API size_t leman_cuda_devices(void);

typedef struct leman_cuda_device {
    char name[256];
    int major, minor; /* compute capability */
    int multiprocessors;
    uint64_t memory; /* bytes in all */
} leman_cuda_device;
/* Device `number` of those, from 0: "cuda:NUMBER". LEMAN_ERROR_UNSUPPORTED where there is none. */
LEMAN_API leman_status leman_cuda_device_describe(leman_context *ctx, size_t number, leman_cuda_device *device);

/* "tf32", "fp32", "bf16". */
LEMAN_API const char *leman_precision_name(leman_precision precision);
LEMAN_API leman_status leman_precision_parse(leman_context *ctx, const char *name, leman_precision *precision);

#ifdef __cplusplus
}
#endif
#endif
