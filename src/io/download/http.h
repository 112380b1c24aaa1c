/* The parts of HTTP that need no network: addresses, reply lines, and the note beside a partial file. */
#ifndef LM_HTTP_H
#define LM_HTTP_H

#include "leman.h"

enum { LM_VALIDATOR_SIZE = 256 };

/* Checks that the address begins with http:// or https://, is printable, and has no user name or password (addresses
 * are shown in messages). `from`, if not NULL, is the address that redirected here; https may only redirect to https.
 * Fails with LEMAN_ERROR_NETWORK for a redirection, otherwise with LEMAN_ERROR_ARGUMENT. */
leman_status lm_url_check(leman_context *ctx, const char *url, const char *from);

/* The lines of a reply that libcurl does not interpret. Zero-initialise, then pass each line to lm_reply_line(). A
 * status line begins a new reply. A member is "" if the line is missing, too long or not printable. */
typedef struct lm_reply {
    char etag[LM_VALIDATOR_SIZE], modified[LM_VALIDATOR_SIZE], range[LM_VALIDATOR_SIZE];
} lm_reply;

void lm_reply_line(lm_reply *reply, const char *line, size_t length);
/* Returns what identifies the content: a strong ETag, or else the date of modification, or else "". */
const char *lm_reply_validator(const lm_reply *reply);

/* Reads the note beside a partial file: two lines, the requested address and the validator of the received content.
 * Sets *found to false if there is no note, or the note is about another address. */
leman_status lm_origin_read(leman_context *ctx, const char *path, const char *url, bool *found,
                            char validator[LM_VALIDATOR_SIZE]);
/* Writes the note beside a partial file. */
leman_status lm_origin_write(leman_context *ctx, const char *path, const char *url, const char *validator);

#endif
