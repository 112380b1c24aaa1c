/* Locks on files, so that two runs never write the same file. A lock ends when its process ends or is killed. */
#ifndef LM_LOCK_H
#define LM_LOCK_H

#include "leman.h"

/* Locks an open file for this run. Fails with LEMAN_ERROR_FILE and "PATH: another run is writing this WHAT" if another
 * descriptor has locked the file. Succeeds if the file system has no locks. Closing the descriptor ends the lock. */
leman_status lm_lock_descriptor(leman_context *ctx, int file, const char *path, const char *what);

/* The lock of a file that is written under a temporary name and renamed. Zero-initialise; end it with lm_lock_end(). */
typedef struct lm_lock {
    leman_context *ctx;
    char *path; /* of the empty file that is locked */
    int file;
    bool held;
} lm_lock;

/* Locks the file at `path`, which need not exist. An empty file PATH.lock lies beside it while the lock is held; a
 * PATH.lock that a killed run left behind does no harm. Two names of one file (links, other folders) have the same
 * lock. Nothing is locked if path is NULL, "-", a device or a pipe, or on ranks above 0. Fails with LEMAN_ERROR_FILE if
 * another run holds the lock, or if PATH.lock cannot be created. */
leman_status lm_lock_begin(leman_context *ctx, const char *path, const char *what, lm_lock *lock);
void lm_lock_end(lm_lock *lock);

#endif
