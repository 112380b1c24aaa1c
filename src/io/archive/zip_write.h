/*
 * Writes a zip as a stream. Each member is compressed as its text arrives, and its sizes are written behind it. Memory
 * therefore does not grow with the data, and the zip can go to standard output. The bytes depend on names and contents
 * alone (every member is dated 1 January 1980). archive_zip.c reads zips.
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
    lm_output *out;      /* output of the zip; not owned */
    lm_output text;      /* output of the current member */
    lm_vector directory; /* char: entries of the central directory, written at the end */
    uint64_t at, members;
    int level; /* zlib's level of compression; may be changed between members */
    /* The current member. */
    size_t entry; /* position of its entry in `directory` */
    lm_deflate deflate;
    uint64_t begin, compressed, size;
    uint32_t checksum;
} lm_zip;

void lm_zip_begin(leman_context *ctx, lm_output *out, lm_zip *zip);
/* Begins a member. *text is the output for its content; it belongs to the zip and is valid until lm_zip_member_end().
 * Fails with LEMAN_ERROR_INPUT if the zip is too large. */
leman_status lm_zip_member(lm_zip *zip, const char *name, lm_output **text);
/* Ends the current member. Fails with LEMAN_ERROR_INPUT if the member has 4 GiB or more. */
leman_status lm_zip_member_end(lm_zip *zip);
/* Writes the central directory. The caller commits the output. */
leman_status lm_zip_end(lm_zip *zip);
void lm_zip_free(lm_zip *zip);

#endif
