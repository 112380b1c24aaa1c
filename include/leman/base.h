/*
 * leman/base.h - version, status, context: what every call shares.
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
    LEMAN_ERROR_CANCELLED,   /* the progress callback said stop */
    LEMAN_ERROR_UNSUPPORTED, /* an optional part is not in this build */
    LEMAN_ERROR_INTERNAL     /* a check of the library on itself failed; please report it */
} leman_status;
#define LEMAN_STATUS_COUNT 10

/* ---- Context --------------------------------------------------------------------------------- */

typedef struct leman_context leman_context;

typedef struct leman_progress {
    const char *task;     /* what is being done: "reading NCI1_A.txt" */
    uint64_t done, total; /* total is 0 where it is not known */
    double seconds;       /* since the task began */
} leman_progress;

typedef struct leman_settings {
    size_t size;   /* leman_settings_init() sets it */
    int threads;   /* 0: all that the machine has */
    size_t memory; /* bytes that large arrays may take, Gram matrices too; 0: three quarters of what is free then */
    uint64_t seed; /* of everything random */

    /* All three or none; none means malloc, realloc, free. allocate and reallocate may return NULL. */
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *pointer, size_t size);
    void (*release)(void *user, void *pointer);
    void *allocator_user;

    /* Called a few times a second, and before every wait for a pipe, from the caller's thread; false stops the work
     * with LEMAN_ERROR_CANCELLED. */
    bool (*progress)(void *user, const leman_progress *progress);
    /* One sentence about something that was noticed or changed, without a newline. */
    void (*log)(void *user, const char *message);
    void *callback_user;
} leman_settings;

LEMAN_API void leman_settings_init(leman_settings *settings, size_t size);
static inline leman_settings leman_settings_default(void)
{
    leman_settings settings;
    leman_settings_init(&settings, sizeof settings);
    return settings;
}

/* The settings are copied. The context is freed with leman_context_free(), after everything made with it. */
LEMAN_API leman_status leman_context_new(const leman_settings *settings, leman_context **context);
LEMAN_API void leman_context_free(leman_context *context);

/* The sentence of the last failure; "" if there was none. Owned by the context, valid until its next call. */
LEMAN_API const char *leman_context_message(const leman_context *context);

/* ---- Names of enum values ------------------------------------------------------------------------ */

/*
 * Every enum leman_X has leman_X_name(), "unknown" for what is not one of its values, leman_X_parse(), the value of
 * that name or LEMAN_ERROR_ARGUMENT with a list of all, and LEMAN_X_COUNT: its values are 0 .. LEMAN_X_COUNT - 1.
 */

/* A few words: "out of memory". */
LEMAN_API const char *leman_status_name(leman_status status);
LEMAN_API leman_status leman_status_parse(leman_context *ctx, const char *name, leman_status *status);

/* Where a network computes. */
typedef enum leman_device { LEMAN_DEVICE_CPU, LEMAN_DEVICE_CUDA } leman_device;
#define LEMAN_DEVICE_COUNT 2
/* "cpu", "cuda". */
LEMAN_API const char *leman_device_name(leman_device device);
LEMAN_API leman_status leman_device_parse(leman_context *ctx, const char *name, leman_device *device);

#ifdef __cplusplus
}
#endif
#endif
