/* Fetches one file over HTTP into a partial file that a later call can continue. Needs libcurl. */
#ifndef LM_TRANSFER_H
#define LM_TRANSFER_H

#include "leman.h"

typedef struct lm_transfer {
    const char *url;    /* must have passed lm_url_check() */
    const char *part;   /* the file to fill */
    const char *origin; /* the note beside the part, see io/download/http.h */
    uint64_t max_bytes;
    int attempts;         /* the most attempts, for temporary failures */
    double wait;          /* seconds before the second attempt; doubled before each further attempt */
    long connect_seconds; /* limit for establishing a connection */
    long stall_seconds;   /* during each such interval at least min_speed bytes a second must arrive */
    uint64_t min_speed;
    double time_limit; /* seconds for all attempts together */
} lm_transfer;

/* Returns true if this build has libcurl. */
bool lm_transfer_available(void);

/*
 * Fetches request->url into request->part, which nobody else may use meanwhile. On LEMAN_OK the part holds everything
 * that the server sent, and *resumed tells whether it began with bytes of an earlier call. LEMAN_ERROR_INPUT (larger
 * than max_bytes) removes the part. Other failures keep the bytes received, if the next call can continue them.
 */
leman_status lm_transfer_run(leman_context *ctx, const lm_transfer *request, bool *resumed);
/* Removes the partial file and its note. */
void lm_transfer_discard(const lm_transfer *request);

#endif
