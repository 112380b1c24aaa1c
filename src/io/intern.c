/* A hash table of numbers, and one block with all texts. The table is at most half full, so a look-up takes one or two
 * steps. */
#include "io/intern.h"
#include "base/hash.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

leman_status lm_append_text(leman_context *ctx, lm_vector *bytes, lm_vector *ends, const char *text, size_t length)
{
    PASS(lm_vector_reserve(ctx, ends, 1, sizeof(uint64_t)));
    PASS(lm_vector_append(ctx, bytes, text, length, 1));
    const uint64_t end = bytes->count;
    return lm_vector_append(ctx, ends, &end, 1, sizeof end);
}

static uint64_t hash_of(const lm_intern *intern, uint32_t space, const char *text, size_t length)
{
    return lm_mix(lm_keyed_hash(intern->key, text, length) + lm_mix(space));
}

size_t lm_intern_count(const lm_intern *intern)
{
    return intern->end.count;
}

const char *lm_intern_text(const lm_intern *intern, size_t number, size_t *length)
{
    const uint64_t *end = intern->end.items;
    uint64_t first = number ? end[number - 1] : 0;
    *length = end[number] - first;
    return *length ? (const char *)intern->bytes.items + first : "";
}

static bool holds(const lm_intern *intern, size_t number, uint32_t space, const char *text, size_t length)
{
    size_t held_length;
    const char *held = lm_intern_text(intern, number, &held_length);
    return ((const uint32_t *)intern->space.items)[number] == space && held_length == length &&
           !memcmp(held, text, length);
}

static leman_status grow(leman_context *ctx, lm_intern *intern)
{
    size_t slots = intern->slots ? 2 * intern->slots : 64;
    uint32_t *slot;
    if (!intern->slots) lm_hash_key(intern->key);
    PASS_NEW_ZERO(ctx, slot, slots);
    for (size_t i = 0; i < lm_intern_count(intern); i++) {
        size_t length;
        const char *text = lm_intern_text(intern, i, &length);
        size_t at = hash_of(intern, ((const uint32_t *)intern->space.items)[i], text, length) & (slots - 1);
        while (slot[at]) at = (at + 1) & (slots - 1);
        slot[at] = (uint32_t)i + 1;
    }
    lm_release(intern->slot);
    intern->slot = slot;
    intern->slots = slots;
    return LEMAN_OK;
}

/* Returns the slot of the text, or the free slot for it if the text is new. There is always a free slot. */
static size_t slot_of(const lm_intern *intern, uint32_t space, const char *text, size_t length)
{
    size_t at = hash_of(intern, space, text, length) & (intern->slots - 1);
    while (intern->slot[at] && !holds(intern, intern->slot[at] - 1, space, text, length))
        at = (at + 1) & (intern->slots - 1);
    return at;
}

bool lm_intern_find(const lm_intern *intern, uint32_t space, const char *text, size_t length, uint32_t *number)
{
    if (!intern->slots) return false;
    uint32_t found = intern->slot[slot_of(intern, space, text, length)];
    if (found) *number = found - 1;
    return found;
}

leman_status lm_intern_add(leman_context *ctx, lm_intern *intern, uint32_t space, const char *text, size_t length,
                           uint32_t *number)
{
    size_t count = lm_intern_count(intern);
    if (2 * count >= intern->slots) PASS(grow(ctx, intern));
    size_t at = slot_of(intern, space, text, length);
    if (intern->slot[at]) {
        *number = intern->slot[at] - 1;
        return LEMAN_OK;
    }
    if (count > UINT32_MAX / 2) return lm_fail(ctx, LEMAN_ERROR_INPUT, "more than %u different names", UINT32_MAX / 2);
    PASS(lm_vector_reserve(ctx, &intern->space, 1, sizeof space));
    PASS(lm_append_text(ctx, &intern->bytes, &intern->end, text, length));
    PASS(lm_vector_append(ctx, &intern->space, &space, 1, sizeof space));
    intern->slot[at] = (uint32_t)count + 1;
    *number = (uint32_t)count;
    return LEMAN_OK;
}

void lm_intern_free(lm_intern *intern)
{
    lm_vector_release(&intern->bytes);
    lm_vector_release(&intern->end);
    lm_vector_release(&intern->space);
    lm_release(intern->slot);
    *intern = (lm_intern){0};
}

/* ---- Words as labels ------------------------------------------------------------------------- */

typedef struct word {
    const char *text;
    size_t length, number;
} word;

static int compare_words(const void *left, const void *right)
{
    const word *a = left, *b = right;
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = shorter ? memcmp(a->text, b->text, shorter) : 0;
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

leman_status lm_word_labels(leman_context *ctx, const lm_intern *texts, int64_t *label, char *shown, size_t size)
{
    SCRATCH_SCOPE(ctx);
    const size_t count = lm_intern_count(texts);
    lm_joined list = lm_joined_begin(shown, size);
    word *words;
    PASS_SCRATCH(ctx, words, count);
    for (size_t i = 0; i < count; i++) {
        words[i].number = i;
        words[i].text = lm_intern_text(texts, i, &words[i].length);
    }
    qsort(words, count, sizeof *words, compare_words);
    for (size_t i = 0; i < count; i++) {
        label[words[i].number] = (int64_t)i;
        lm_joined_add(&list, "%s%zu is %.*s", i ? ", " : "", i, (int)words[i].length, words[i].text);
    }
    return LEMAN_OK;
}
