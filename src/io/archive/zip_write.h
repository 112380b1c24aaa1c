/*
 * Writing a zip as a stream: each member is deflated as its text arrives, with its sizes behind it, so memory does not
 * grow with the data and standard output will do. The bytes depend on names and contents alone (every member is dated
 * 1 January 1980). Reading is libzip's business (archive_zip.c).
 *
 *   lm_zip zip;
 *   lm_zip_begin(ctx, out, &zip);
 *   TRY(lm_zip_member(&zip, "NAME/NAME_A.txt", &text));
 *   ... lm_output_integer(text, ...) ...
 *   TRY(lm_zip_member_end(&zip));
 *   TRY(lm_zip_end(&zip));
 *   done: lm_zip_free(&zip);
 */
#ifndef LM_ZIP_WRITE_H
#define LM_ZIP_WRITE_H

#include "io/archive/deflate.h"

typedef struct lm_zip {
    leman_context *ctx;
    lm_output *out;      /* where the zip goes; not owned */
    lm_output text;      /* what the current member is written to */
    lm_vector directory; /* char: the entries that stand at the end of a zip */
    uint64_t at, members;
    int level; /* of compression, zlib's; may be changed between members */
    /* The current member. */
    size_t entry; /* its place in directory */
    lm_deflate deflate;
    uint64_t begin, compressed, size;
    uint32_t checksum;
} lm_zip;

void lm_zip_begin(leman_context *ctx, lm_output *out, lm_zip *zip);
/* *text belongs to the zip and lasts until lm_zip_member_end(). */
leman_status lm_zip_member(lm_zip *zip, const char *name, lm_output **text);
leman_status lm_zip_member_end(lm_zip *zip);
/* Writes the directory; the caller commits the output. */
leman_status lm_zip_end(lm_zip *zip);
void lm_zip_free(lm_zip *zip);

#endif
