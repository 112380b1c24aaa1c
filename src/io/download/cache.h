/*
 * The cache of downloaded files: one folder, which has for each data set
 *
 *   NAME.zip              complete and checked
 *   NAME.zip.sha256       its checksum, recorded when the file was first there
 *   NAME.zip.part         the part that an interrupted download left
 *   NAME.zip.part.origin  the address of this part, so that the download can be continued
 *   NAME.zip.lock         exists while a process changes any of these files
 */
#ifndef LM_CACHE_H
#define LM_CACHE_H

#include "leman.h"

typedef struct lm_cache_entry {
    const char *folder, *zip, *sum, *part, *origin, *lock; /* paths in the scratch arena */
    const char *file;                                      /* "NAME.zip", the last part of `zip` */
} lm_cache_entry;

/* Sets the paths of a data set, without looking at the file system. folder = NULL stands for $LEMAN_CACHE, or else
 * $XDG_CACHE_HOME/leman, or else ~/.cache/leman; if none of these is set, the function fails with LEMAN_ERROR_FILE. The
 * name must have passed lm_cache_name_check(). */
leman_status lm_cache_place(leman_context *ctx, const char *name, const char *folder, lm_cache_entry *out);
/* Fails with LEMAN_ERROR_ARGUMENT unless the name is 1 to 200 letters, digits and - _ + ., so that it cannot be a path,
 * does not begin with a dot, and does not end in .zip. */
leman_status lm_cache_name_check(leman_context *ctx, const char *name);
/* Creates the folder and its parents. */
leman_status lm_cache_make(leman_context *ctx, const lm_cache_entry *place);

/* Locks the entry against other processes and threads. Waits for the present owner as long as the caller's progress
 * callback agrees. *lock is a descriptor for lm_cache_unlock(). */
leman_status lm_cache_lock(leman_context *ctx, const lm_cache_entry *place, int *lock);
/* Releases the lock. Does nothing if lock is -1. */
void lm_cache_unlock(const lm_cache_entry *place, int lock);

/* Sleeps for 50 milliseconds. Fails with LEMAN_ERROR_CANCELLED if the caller cancels. */
leman_status lm_cache_wait(leman_context *ctx);

/* Fails with LEMAN_ERROR_INPUT, saying what was found and expected, if `data` cannot be the data set of the paper that
 * has this name (catalogue.c). Unknown names pass. `file` is used in the message. O(graphs). */
leman_status lm_catalogue_check(leman_context *ctx, const char *file, const char *name, const leman_dataset *data);

#endif
