/* The parts of HTTP that need no network: addresses, the lines of a reply, and the note beside a partial file. */
#ifndef LM_HTTP_H
#define LM_HTTP_H

#include "leman.h"

enum { LM_VALIDATOR_SIZE = 256 };

/* http:// or https:// and printable characters, with no user name or password (addresses are shown in messages).
 * `from`, where not NULL, is the address that redirected there: from https only to https. */
leman_status lm_url_check(leman_context *ctx, const char *url, const char *from);

/* What the lines of a reply say; zero-initialise, then give each line to lm_reply_line(). A new status line (after a
 * redirection, or "100 Continue") begins anew. */
typedef struct lm_reply {
    long code;
    bool has_length, has_range, has_total;
    uint64_t length;                                           /* Content-Length */
    uint64_t first, total;                                     /* Content-Range: bytes first-last/total */
    char etag[LM_VALIDATOR_SIZE], modified[LM_VALIDATOR_SIZE]; /* "" where unknown or not printable */
} lm_reply;

void lm_reply_line(lm_reply *reply, const char *line, size_t length);
/* What names this very content: a strong ETag, else the date of change, else "". */
const char *lm_reply_validator(const lm_reply *reply);
/* The size of the whole file, where the reply says it. */
bool lm_reply_size(const lm_reply *reply, uint64_t *size);

/* The note beside a partial file: two lines, the address asked for and the validator of what was received. *found is
 * false where there is no note, or one about another address. */
leman_status lm_origin_read(leman_context *ctx, const char *path, const char *url, bool *found,
                            char validator[LM_VALIDATOR_SIZE]);
leman_status lm_origin_write(leman_context *ctx, const char *path, const char *url, const char *validator);

#endif
