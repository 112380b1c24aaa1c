/* Numbers the words that stand for labels or classes in the order of their bytes, which does not depend on the order of
 * the lines. */
#include "base/text.h"
#include "io/intern.h"
#include <stdlib.h>
#include <string.h>

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
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    const size_t count = lm_intern_count(texts);
    lm_joined list = lm_joined_begin(shown, size);
    word *words;
    SCRATCH(ctx, words, count);
    for (size_t i = 0; i < count; i++) {
        words[i].number = i;
        words[i].text = lm_intern_text(texts, i, &words[i].length);
    }
    qsort(words, count, sizeof *words, compare_words);
    for (size_t i = 0; i < count; i++) {
        label[words[i].number] = (int64_t)i;
        lm_joined_add(&list, "%s%zu is %.*s", i ? ", " : "", i, (int)words[i].length, words[i].text);
    }
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
