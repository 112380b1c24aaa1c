/*
 * The cache of downloaded files: one folder, and in it for each set
 *
 *   NAME.zip              checked, whole
 *   NAME.zip.sha256       its sum, as recorded when it was first there
 *   NAME.zip.part         what an interrupted download left
 *   NAME.zip.part.origin  where that came from, so that it may be continued
 *   NAME.zip.lock         while somebody changes any of these
 */
#ifndef LM_CACHE_H
#define LM_CACHE_H

#include "leman.h"

typedef struct lm_cache_entry {
    const char *folder, *zip, *sum, *part, *origin, *lock; /* paths in the scratch arena */
    const char *file;                                      /* "NAME.zip", the end of zip */
} lm_cache_entry;

/* The paths of a set. folder NULL: $LEMAN_CACHE, else $XDG_CACHE_HOME/leman, else ~/.cache/leman. The name is one that
 * lm_cache_name_check() has passed. Nothing is made or looked at. */
leman_status lm_cache_place(leman_context *ctx, const char *name, const char *folder, lm_cache_entry *out);
/* Letters, digits and - _ + . only, so that a name is never a path. */
leman_status lm_cache_name_check(leman_context *ctx, const char *name);
/* Makes the folder and those above it. */
leman_status lm_cache_make(leman_context *ctx, const lm_cache_entry *place);

/* One owner at a time, over processes and threads; waits for the present one as long as the caller's progress
 * callback agrees. *lock is a descriptor for lm_cache_unlock(), which does nothing with -1. */
leman_status lm_cache_lock(leman_context *ctx, const lm_cache_entry *place, int *lock);
void lm_cache_unlock(const lm_cache_entry *place, int lock);

/* Sleeps a twentieth of a second; LEMAN_ERROR_CANCELLED where the caller cancels. */
leman_status lm_cache_wait(leman_context *ctx);

#endif
