/* Locks on files: two runs never write the same one. A lock ends with its process, however that ends. */
#ifndef LM_LOCK_H
#define LM_LOCK_H

#include "leman.h"

/* Locks an open file for this run. LEMAN_ERROR_FILE with "PATH: another run is writing this WHAT" if another descriptor
 * has locked the file. Where the file system has no locks the call succeeds. Closing the descriptor ends the lock. */
leman_status lm_lock_descriptor(leman_context *ctx, int file, const char *path, const char *what);

/* The lock of a file that is written beside its place and renamed. Zero-initialise; lm_lock_end() it. */
typedef struct lm_lock {
    leman_context *ctx;
    char *path; /* of the empty file that is locked */
    int file;
    bool held;
} lm_lock;

/* Locks the file at path, which need not exist. An empty file PATH.lock lies beside it as long as the lock is held; the
 * PATH.lock of a run that was killed is no obstacle. Two names of one file (links, other folders) have the same lock.
 * Nothing is locked for NULL, "-", devices and pipes, and on ranks above 0. LEMAN_ERROR_FILE if another run has the
 * lock, or if no file can be made there. */
leman_status lm_lock_begin(leman_context *ctx, const char *path, const char *what, lm_lock *lock);
void lm_lock_end(lm_lock *lock);

#endif
