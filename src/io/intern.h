/* Texts numbered in the order of their first appearance: names of vertices and graphs, words that stand for labels. */
#ifndef LM_INTERN_H
#define LM_INTERN_H

#include "base/context.h"

/* Zero-initialise; lm_intern_free() at the end. */
typedef struct lm_intern {
    lm_vector bytes; /* char: all texts, one behind the other */
    lm_vector end;   /* uint64_t: where each ends */
    lm_vector space; /* uint32_t */
    uint32_t *slot;  /* [slots] open addressing: number + 1, or 0 */
    size_t slots;    /* a power of two */
    uint64_t key[2]; /* of the hash: drawn for each table, so that files cannot choose texts that share a slot */
} lm_intern;

/* The number of a text; the same text in two spaces (vertex "1" of two graphs) has two numbers. O(length). At most
 * 2^31 texts. */
leman_status lm_intern_add(leman_context *ctx, lm_intern *intern, uint32_t space, const char *text, size_t length,
                           uint32_t *number);
/* Is the text there? Then *number is its number. Adds nothing. */
bool lm_intern_find(const lm_intern *intern, uint32_t space, const char *text, size_t length, uint32_t *number);
size_t lm_intern_count(const lm_intern *intern);
/* Not NUL-terminated; valid until the next text is added. */
const char *lm_intern_text(const lm_intern *intern, size_t number, size_t *length);
/* label[count]: texts as labels 0, 1, ... in the order of their bytes; shown[size]: "0 is active, 1 is inactive", cut
 * where there is no more room. O(count log count) comparisons. */
leman_status lm_word_labels(leman_context *ctx, const lm_intern *texts, int64_t *label, char *shown, size_t size);
void lm_intern_free(leman_context *ctx, lm_intern *intern);

#endif
