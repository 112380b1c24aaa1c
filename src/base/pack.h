/*
 * Files of our own that hold a structure: numbers, texts and arrays behind a checksummed head. The same function writes
 * and reads, so that the two cannot drift apart:
 *
 *   static leman_status pack_thing(lm_pack *pack, thing *t)
 *   {
 *       leman_status st = LEMAN_OK;
 *       TRY(lm_pack_word(pack, &t->seed));
 *       TRY(lm_pack_array(pack, (void **)&t->weight, &t->weights, sizeof *t->weight));
 *   done:
 *       return st;
 *   }
 *
 * Everything is little-endian, whatever the machine:
 *
 *    0  magic, 8 bytes
 *    8  version, 8 bytes
 *   16  checksum of everything behind it
 *   24  bytes of the body, 8 bytes
 *   32  the body: words of 8 bytes, arrays as their count and then their elements, padded to 8 bytes
 */
#ifndef LM_PACK_H
#define LM_PACK_H

#include "base/context.h"
#include "base/file.h"

enum { LM_PACK_HEAD = 32 };

typedef struct lm_pack {
    leman_context *ctx;
    const char *path; /* for messages */
    bool writing;
    lm_vector written;    /* char: head and body so far */
    lm_output *to;        /* NULL, or where the body goes at once, instead of into memory */
    const char *at, *end; /* what is left to be read */
    lm_bytes bytes;       /* the file that is read, where it is the pack's own */
} lm_pack;

/* Writing: begin (again: what was written before is dropped, its memory kept), pack, save. The file appears whole or
 * not at all. */
leman_status lm_pack_begin(lm_pack *pack, leman_context *ctx, const char *path);
leman_status lm_pack_save(lm_pack *pack, const char magic[8], uint64_t version);

/* The same without holding the file in memory: `pack` is called three times, for the size of the body, for its checksum
 * and for its bytes, which must be the same each time. The caller opens and commits the output. */
typedef leman_status lm_pack_function(lm_pack *pack, void *state);
leman_status lm_pack_stream(lm_output *out, const char magic[8], uint64_t version, lm_pack_function *pack, void *state);

/* Reading: open, pack, end. `what` names the file in sentences: "a checkpoint". A file of another kind, of another
 * version, cut off or damaged is LEMAN_ERROR_INPUT. */
leman_status lm_pack_open(lm_pack *pack, leman_context *ctx, const char *path, const char magic[8], uint64_t version,
                          const char *what);
/* The same for bytes at hand, which must stay. */
leman_status lm_pack_parse(lm_pack *pack, leman_context *ctx, const char *path, lm_bytes bytes, const char magic[8],
                           uint64_t version, const char *what);
/* Nothing may be left. */
leman_status lm_pack_end(const lm_pack *pack);

/* Both ends here. */
void lm_pack_close(lm_pack *pack);

leman_status lm_pack_word(lm_pack *pack, uint64_t *value);
/* Read: more than `most` is LEMAN_ERROR_INPUT. */
leman_status lm_pack_size(lm_pack *pack, size_t *value, size_t most);
leman_status lm_pack_bool(lm_pack *pack, bool *value);
leman_status lm_pack_real(lm_pack *pack, double *value);
/* Read: *items is new memory of the context, for lm_free(). Elements of 1, 4 or 8 bytes. */
leman_status lm_pack_array(lm_pack *pack, void **items, size_t *count, size_t element);
/* The same into memory that is there: another count in the file is LEMAN_ERROR_INPUT. */
leman_status lm_pack_into(lm_pack *pack, void *items, size_t count, size_t element);
/* Printable UTF-8 ended by NUL; read: new memory. */
leman_status lm_pack_text(lm_pack *pack, char **text);

/* "PATH: found X, expected Y" for contents that cannot be. */
__attribute__((format(printf, 2, 3))) leman_status lm_pack_fail(const lm_pack *pack, const char *format, ...);

/* Do these bytes begin as such a file does? */
bool lm_pack_is(const char *bytes, size_t size, const char magic[8]);

#endif
