/* Fetching one file over HTTP into a partial file that a later call continues. Needs libcurl. */
#ifndef LM_TRANSFER_H
#define LM_TRANSFER_H

#include "leman.h"

typedef struct lm_transfer {
    const char *url;    /* checked by lm_url_check() */
    const char *part;   /* the file to fill */
    const char *origin; /* the note beside it, see io/download/http.h */
    uint64_t max_bytes;
    int attempts;         /* at most, for temporary failures */
    double wait;          /* seconds before the second attempt; doubled before each further one */
    long connect_seconds; /* until the connection must be made */
    long stall_seconds;   /* over so long at least min_speed bytes a second must arrive, whatever the attempts */
    uint64_t min_speed;
    double time_limit; /* seconds for all attempts together */
} lm_transfer;

/* Is libcurl in this build? */
bool lm_transfer_available(void);

/*
 * Fills request->part. Only the caller may use it meanwhile. On LEMAN_OK it holds all that the server sent, and
 * *resumed says whether it began with bytes of an earlier call. LEMAN_ERROR_INPUT (larger than allowed) leaves nothing;
 * other failures leave what has arrived, if the next call can continue it.
 */
leman_status lm_transfer_run(leman_context *ctx, const lm_transfer *request, bool *resumed);
/* Removes the partial file and its note. */
void lm_transfer_discard(const lm_transfer *request);

#endif
