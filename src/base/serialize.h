/*
 * The library's own files that hold a structure: numbers, texts and arrays behind a head with a checksum. The same
 * function writes and reads, so that the two cannot drift apart:
 *
 *   static leman_status serialize_thing(lm_serializer *s, thing *t)
 *   {
 *       PASS(lm_serialize_word(s, &t->seed));
 *       return lm_serialize_array(s, (void **)&t->weight, &t->weights, sizeof *t->weight);
 *   }
 *
 * All numbers are little-endian on every machine:
 *
 *    0  magic, 8 bytes
 *    8  version, 8 bytes
 *   16  checksum of everything behind it, 8 bytes
 *   24  bytes of the body, 8 bytes
 *   32  the body: words of 8 bytes; an array is its count and then its elements, padded to 8 bytes
 */
#ifndef LM_SERIALIZE_H
#define LM_SERIALIZE_H

#include "base/context.h"
#include "base/file.h"
#include "base/mapped.h"

enum { LM_SERIALIZE_HEAD = 32 };

typedef struct lm_serializer {
    leman_context *ctx;
    const char *path; /* for messages */
    bool writing;
    uint64_t version;     /* of the file that is read */
    lm_vector written;    /* char: head and body so far */
    lm_output *to;        /* NULL, or the output that receives the body directly instead of `written` */
    const char *at, *end; /* the bytes that remain to be read */
    lm_bytes bytes;       /* the file that is read, if lm_serializer_open() opened it */
    lm_mapped *mapped;    /* the mapped file in which the bytes lie; NULL: they are in memory */
} lm_serializer;

/* Writing: call lm_serializer_begin(), serialise the members, call lm_serializer_save(). Another lm_serializer_begin()
 * drops what was written before and keeps its memory. The file appears complete or not at all. */
leman_status lm_serializer_begin(lm_serializer *serializer, leman_context *ctx, const char *path);
leman_status lm_serializer_save(lm_serializer *serializer, const char magic[8], uint64_t version);

/* Like lm_serializer_save() without holding the file in memory: `function` is called three times, for the size of the
 * body, for its checksum and for its bytes, and must write the same bytes each time. The caller opens and commits the
 * output. */
typedef leman_status lm_serialize_function(lm_serializer *serializer, void *state);
leman_status lm_serializer_stream(lm_output *out, const char magic[8], uint64_t version,
                                  lm_serialize_function *function, void *state);

/* Reading: call lm_serializer_open(), serialise the members, call lm_serializer_end(). `what` names the kind of file in
 * sentences: "a checkpoint". Versions 1 to `version` are read; serializer->version is that of the file. Fails with
 * LEMAN_ERROR_INPUT if the file is of another kind or a newer version, cut off or damaged. */
leman_status lm_serializer_open(lm_serializer *serializer, leman_context *ctx, const char *path, const char magic[8],
                                uint64_t version, const char *what);
/* Like lm_serializer_open() for bytes in memory, which must stay valid while they are read. */
leman_status lm_serializer_parse(lm_serializer *serializer, leman_context *ctx, const char *path, lm_bytes bytes,
                                 const char magic[8], uint64_t version, const char *what);
/* Fails with LEMAN_ERROR_INPUT if bytes remain that were not read. */
leman_status lm_serializer_end(const lm_serializer *serializer);

/* Frees everything, after writing or reading. */
void lm_serializer_close(lm_serializer *serializer);
/* Makes the sentence of the failure st name the file, closes the serializer, and returns st. */
leman_status lm_serializer_finish(lm_serializer *serializer, leman_status st);

/* The functions lm_serialize_...() write a value, or read a value if the serializer reads. Reading fails with
 * LEMAN_ERROR_INPUT at the end of the file. */
leman_status lm_serialize_word(lm_serializer *serializer, uint64_t *value);
/* Reading fails with LEMAN_ERROR_INPUT if the value exceeds `max`. */
leman_status lm_serialize_size(lm_serializer *serializer, size_t *value, size_t max);
/* An enum, a 32-bit or a larger number, as a word; `max` is for reading. */
#define SERIALIZE_SMALL(serializer, value, type, max)                                                                  \
    do {                                                                                                               \
        size_t small = (size_t)(value);                                                                                \
        PASS(lm_serialize_size((serializer), &small, (max)));                                                          \
        (value) = (type)small;                                                                                         \
    } while (0)
leman_status lm_serialize_bool(lm_serializer *serializer, bool *value);
leman_status lm_serialize_real(lm_serializer *serializer, double *value);
/* An array *items of *count elements, which have 1, 4 or 8 bytes. Reading allocates *items; the caller frees it with
 * lm_release(). */
leman_status lm_serialize_array(lm_serializer *serializer, void **items, size_t *count, size_t element);
/* Like lm_serialize_array() for items[count] that the caller has allocated. Reading fails with LEMAN_ERROR_INPUT if the
 * file has another count. */
leman_status lm_serialize_into(lm_serializer *serializer, void *items, size_t count, size_t element);
/* Writes an array that is not in memory. `read` stores elements first .. first + count - 1 in to[count]; the elements
 * are requested in order, some at a time. */
typedef leman_status lm_element_reader(void *user, size_t first, size_t count, void *to);
leman_status lm_serialize_elements(lm_serializer *serializer, size_t count, size_t element, lm_element_reader *read,
                                   void *user);
/* Elements of an array in a file that is being read, in the byte order of the file. They need not be aligned. */
typedef struct lm_elements {
    const char *bytes;
    size_t count, element;
} lm_elements;
/* Reads past an array, whose elements then remain where they are in the file. */
leman_status lm_serialize_skip(lm_serializer *serializer, size_t element, lm_elements *elements);
/* Copies elements first .. first + count - 1 to to[count]. */
void lm_elements_copy(const lm_elements *elements, size_t first, size_t count, void *to);
/* Writes or reads a text of printable UTF-8 with a terminating zero. Reading allocates *text; the caller frees it with
 * lm_release(). */
leman_status lm_serialize_text(lm_serializer *serializer, char **text);

/* Sets the sentence "PATH: found X, expected Y" for invalid content, and returns LEMAN_ERROR_INPUT. */
__attribute__((format(printf, 2, 3))) leman_status lm_serializer_fail(const lm_serializer *serializer,
                                                                      const char *format, ...);

/* Returns true if the bytes begin with this magic. */
bool lm_serializer_is(const char *bytes, size_t size, const char magic[8]);

#endif
