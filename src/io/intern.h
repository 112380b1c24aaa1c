/* Numbers texts in the order of their first appearance: names of vertices and graphs, and words that stand for
 * labels. */
#ifndef LM_INTERN_H
#define LM_INTERN_H

#include "base/context.h"

/* Zero-initialise; release with lm_intern_free(). */
typedef struct lm_intern {
    lm_vector bytes; /* char: all texts, one after the other */
    lm_vector end;   /* uint64_t: end of each text in `bytes` */
    lm_vector space; /* uint32_t: the space of each text */
    uint32_t *slot;  /* [slots] hash table with open addressing: number + 1, or 0 if free */
    size_t slots;    /* a power of two */
    uint64_t key[2]; /* random key of the hash, so that no file can be made of texts that share a slot */
} lm_intern;

/* Appends a text to `bytes` (char), and the new number of bytes to `ends` (uint64_t). */
leman_status lm_append_text(leman_context *ctx, lm_vector *bytes, lm_vector *ends, const char *text, size_t length);
/* Sets *number to the number of the text, and adds the text if it is new. A text in two spaces (vertex "1" of two
 * graphs) has two numbers. Fails with LEMAN_ERROR_INPUT for more than 2^31 texts. O(length). */
leman_status lm_intern_add(leman_context *ctx, lm_intern *intern, uint32_t space, const char *text, size_t length,
                           uint32_t *number);
/* Returns true and sets *number if the text is in the table. Adds nothing. O(length). */
bool lm_intern_find(const lm_intern *intern, uint32_t space, const char *text, size_t length, uint32_t *number);
/* Returns the number of texts in the table. */
size_t lm_intern_count(const lm_intern *intern);
/* Returns the text with this number and its length. The text is not NUL-terminated and is valid until the next text is
 * added. */
const char *lm_intern_text(const lm_intern *intern, size_t number, size_t *length);
/* Sets label[i] to the rank of text i among all texts in the order of their bytes: 0, 1, ... The order of the lines of
 * a file therefore does not matter. Writes "0 is active, 1 is
 * inactive" to shown[size], shortened if `size` is too small. O(count log count) comparisons. */
leman_status lm_word_labels(leman_context *ctx, const lm_intern *texts, int64_t *label, char *shown, size_t size);
void lm_intern_free(lm_intern *intern);

#endif
