/* Journals: whatever a file holds, it is refused, or its folds are those of the run. The checksums of lines
 * are made to fit first, so that what lies behind them is reached: a line that ends in "sum" gets its own. */
#include "base/hash.h"
#include "learn/protocol/fold_records.h"
#include "reader.h"
#include <math.h>
#include <stdio.h>

enum { GRAPHS = 6, FOLDS = 3, ROUNDS = 2 };
static const char HEAD[] = "leman journal 1; fuzz; 0";

static leman_evaluation *evaluation_new(leman_context *ctx)
{
    leman_evaluation *e = NULL;
    lm_classes classes = {.count = 2, .label = (int64_t[]){0, 1}};
    lm_split_list list = {0};
    const leman_splits sizes = {.graphs = GRAPHS, .repetitions = 1, .folds = FOLDS};
    fuzz_expect((e = lm_alloc_zero(ctx, 1, sizeof *e)) != NULL);
    e->rounds = ROUNDS;
    for (uint32_t f = 0; f < FOLDS; f++) {
        fuzz_expect(!lm_split_list_add(ctx, &list, (uint32_t[]){f, f + 3}, f + 1 < FOLDS ? 2 : 1));
        fuzz_expect(!lm_split_list_validate(ctx, &list, GRAPHS, NULL, 1));
    }
    fuzz_expect(!lm_split_list_finish(ctx, &list, &sizes, &e->splits));
    fuzz_expect(!lm_evaluation_allocate(ctx, &classes, e));
    lm_split_list_free(&list);
    return e;
}

static unsigned digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') & 15 : (unsigned)(c - 'a' + 10) & 15;
}

/* Writes the sum over the words of a line where it ends in 16 times 's'. */
static void fix_checksum(char *line, size_t size)
{
    uint64_t word[64] = {0};
    size_t words = size / 17;
    char text[17];
    if (size % 17 || words < 2 || words > 64 || memcmp(line + size - 17, "ssssssssssssssss", 16)) return;
    for (size_t i = 0; i + 1 < words; i++)
        for (int j = 0; j < 16; j++) word[i] = word[i] << 4 | digit(line[i * 17 + (size_t)j]);
    uint64_t key = lm_checksum(HEAD, sizeof HEAD - 1, 1);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)lm_checksum(word, (words - 1) * sizeof *word, key));
    memcpy(line + size - 17, text, 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    bool done[FOLDS] = {false};
    size_t valid = 0;
    if (!size--) return 0; /* the first byte is not looked at */
    settings.threads = 1;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    leman_evaluation *e = evaluation_new(ctx);
    char *text = malloc(size + 1);
    fuzz_expect(text != NULL);
    if (size) memcpy(text, bytes + 1, size);
    for (size_t at = 0; at < size;) {
        char *end = memchr(text + at, '\n', size - at);
        if (!end) break;
        fix_checksum(text + at, (size_t)(end + 1 - text) - at);
        at = (size_t)(end + 1 - text);
    }
    const lm_records records = lm_fold_records(e);
    leman_status st = lm_journal_parse(ctx, "fuzz", HEAD, text, size, &records, done, &valid);
    fuzz_expect(st ? st == LEMAN_ERROR_INPUT && *leman_context_message(ctx) != 0 : valid <= size);
    for (size_t i = 0; !st && i < FOLDS; i++) {
        lm_part test = lm_split_test(e->splits, i);
        if (!done[i]) continue;
        fuzz_expect(e->fold[i].rounds < ROUNDS && e->fold[i].fold == i);
        for (size_t j = 0; j < test.count; j++) {
            double predicted = e->predicted[e->splits->start[2 * i] + j];
            fuzz_expect(isnan(predicted) || (predicted >= 0 && predicted < 2)); /* NaN: its class is missing */
        }
    }
    free(text);
    leman_evaluation_free(e);
    leman_context_free(ctx);
    return 0;
}
