/*
 * Files of features (.lmf): the first byte says whether the fixed words, the size and the checksum are made right, the
 * rest is the file. What reads is a sound matrix.
 */
#include "base/hash.h"
#include "kernel/feature_file.h"
#include "kernel/features.h"
#include "reader.h"

static void make_right(char *bytes, size_t size)
{
    enum { CHECKED_FROM = 24 };
    uint64_t version = LM_FEATURES_VERSION, body = size - LM_PACK_HEAD;
    if (size < LM_PACK_HEAD) return;
    memcpy(bytes, LM_FEATURES_MAGIC, 8);
    memcpy(bytes + 8, &version, 8);
    memcpy(bytes + CHECKED_FROM, &body, 8);
    uint64_t sum = lm_checksum(bytes + CHECKED_FROM, size - CHECKED_FROM, version);
    memcpy(bytes + 16, &sum, 8);
}

static void check(const leman_features *f)
{
    volatile uint64_t touched = 0; /* so that everything is read */
    fuzz_expect(f->start[0] == 0 && f->start[f->rows] == f->entries);
    for (size_t i = 0; i < f->rows; i++) {
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            fuzz_expect(f->column[e] < f->columns && (e == f->start[i] || f->column[e - 1] < f->column[e]));
            touched += f->value[e] > 0;
        }
        if (f->class_label) touched += f->class_label[i] > 0;
        if (f->target) touched += f->target[i] > 0;
    }
    for (size_t i = 1; f->feature && i < f->columns; i++)
        fuzz_expect(lm_feature_before(f->feature[i - 1], f->feature[i]));
    for (size_t i = 0, at = 0; i < f->blocks; at += f->block[i++].columns) fuzz_expect(f->block[i].first == at);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_features f = {0};
    if (!size) return 0;
    settings.threads = 1;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    char *file = malloc(size);
    fuzz_expect(file != NULL);
    memcpy(file, bytes + 1, size - 1);
    if (bytes[0] & 1) make_right(file, size - 1);
    leman_status st = lm_features_parse(ctx, "fuzz", (lm_bytes){.data = file, .size = size - 1}, &f);
    fuzz_expect(!st || (st == LEMAN_ERROR_INPUT && *leman_context_message(ctx)));
    if (!st) check(&f);
    leman_features_free(ctx, &f);
    free(file);
    leman_context_free(ctx);
    return 0;
}
