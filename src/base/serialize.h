/*
 * Files of our own that hold a structure: numbers, texts and arrays behind a checksummed head. The same function writes
 * and reads, so that the two cannot drift apart:
 *
 *   static leman_status serialize_thing(lm_serializer *s, thing *t)
 *   {
 *       leman_status st = LEMAN_OK;
 *       TRY(lm_serialize_word(s, &t->seed));
 *       TRY(lm_serialize_array(s, (void **)&t->weight, &t->weights, sizeof *t->weight));
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
#ifndef LM_SERIALIZE_H
#define LM_SERIALIZE_H

#include "base/context.h"
#include "base/file.h"

enum { LM_SERIALIZE_HEAD = 32 };

typedef struct lm_serializer {
    leman_context *ctx;
    const char *path; /* for messages */
    bool writing;
    lm_vector written;    /* char: head and body so far */
    lm_output *to;        /* NULL, or where the body goes at once, instead of into memory */
    const char *at, *end; /* what is left to be read */
    lm_bytes bytes;       /* the file that is read, where lm_serializer_open() opened it */
} lm_serializer;

/* Writing: begin (again: what was written before is dropped, its memory kept), serialise, save. The file appears whole
 * or not at all. */
leman_status lm_serializer_begin(lm_serializer *serializer, leman_context *ctx, const char *path);
leman_status lm_serializer_save(lm_serializer *serializer, const char magic[8], uint64_t version);

/* The same without holding the file in memory: `function` is called three times, for the size of the body, for its
 * checksum and for its bytes, which must be the same each time. The caller opens and commits the output. */
typedef leman_status lm_serialize_function(lm_serializer *serializer, void *state);
leman_status lm_serializer_stream(lm_output *out, const char magic[8], uint64_t version,
                                  lm_serialize_function *function, void *state);

/* Reading: open, serialise, end. `what` names the file in sentences: "a checkpoint". A file of another kind, of another
 * version, cut off or damaged is LEMAN_ERROR_INPUT. */
leman_status lm_serializer_open(lm_serializer *serializer, leman_context *ctx, const char *path, const char magic[8],
                                uint64_t version, const char *what);
/* The same for bytes at hand, which must stay. */
leman_status lm_serializer_parse(lm_serializer *serializer, leman_context *ctx, const char *path, lm_bytes bytes,
                                 const char magic[8], uint64_t version, const char *what);
/* Nothing may be left. */
leman_status lm_serializer_end(const lm_serializer *serializer);

/* Ends writing and reading. */
void lm_serializer_close(lm_serializer *serializer);
/* Ends reading and returns st, after the sentence of that failure was made to name the file. */
leman_status lm_serializer_finish(lm_serializer *serializer, leman_status st);

leman_status lm_serialize_word(lm_serializer *serializer, uint64_t *value);
/* Read: more than `max` is LEMAN_ERROR_INPUT. */
leman_status lm_serialize_size(lm_serializer *serializer, size_t *value, size_t max);
leman_status lm_serialize_bool(lm_serializer *serializer, bool *value);
leman_status lm_serialize_real(lm_serializer *serializer, double *value);
/* Read: *items is new memory of the context, for lm_free(). Elements of 1, 4 or 8 bytes. */
leman_status lm_serialize_array(lm_serializer *serializer, void **items, size_t *count, size_t element);
/* The same into memory that is there: another count in the file is LEMAN_ERROR_INPUT. */
leman_status lm_serialize_into(lm_serializer *serializer, void *items, size_t count, size_t element);
/* Writing: an array that is not in memory. `read` puts elements first .. first + count - 1 into to[count]; they are
 * asked for in order, some at a time. */
typedef leman_status lm_element_reader(void *user, size_t first, size_t count, void *to);
leman_status lm_serialize_elements(lm_serializer *serializer, size_t count, size_t element, lm_element_reader *read,
                                   void *user);
/* Printable UTF-8 ended by NUL; read: new memory. */
leman_status lm_serialize_text(lm_serializer *serializer, char **text);

/* "PATH: found X, expected Y" for contents that cannot be. */
__attribute__((format(printf, 2, 3))) leman_status lm_serializer_fail(const lm_serializer *serializer,
                                                                      const char *format, ...);

/* Do these bytes begin as such a file does? */
bool lm_serializer_is(const char *bytes, size_t size, const char magic[8]);

#endif
