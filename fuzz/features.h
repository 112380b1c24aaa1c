/*
 * What the fuzz targets of feature files share. The first byte says whether the fixed words, the size and the checksum
 * are made right, the rest is the file; what reads is handed to a check.
 */
#ifndef FUZZ_FEATURES_H
#define FUZZ_FEATURES_H

#include "base/hash.h"
#include "kernel/features/feature_file.h"
#include "kernel/features/features.h"
#include "reader.h"

typedef struct fuzz_features {
    const char *magic;
    uint64_t version;
    leman_status (*parse)(leman_context *ctx, const char *path, lm_bytes bytes, leman_features *features);
    void (*check)(leman_context *ctx, const leman_features *features);
} fuzz_features;

static inline void fuzz_make_right(const fuzz_features *kind, char *bytes, size_t size)
{
    enum { CHECKED_FROM = 24 };
    uint64_t body = size - LM_SERIALIZE_HEAD;
    if (size < LM_SERIALIZE_HEAD) return;
    memcpy(bytes, kind->magic, 8);
    memcpy(bytes + 8, &kind->version, 8);
    memcpy(bytes + CHECKED_FROM, &body, 8);
    uint64_t sum = lm_checksum(bytes + CHECKED_FROM, size - CHECKED_FROM, kind->version);
    memcpy(bytes + 16, &sum, 8);
}

static inline int fuzz_features_run(const fuzz_features *kind, const uint8_t *bytes, size_t size)
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
    if (bytes[0] & 1) fuzz_make_right(kind, file, size - 1);
    leman_status st = kind->parse(ctx, "fuzz", (lm_bytes){.data = file, .size = size - 1}, &f);
    fuzz_expect(!st || (st == LEMAN_ERROR_INPUT && *leman_context_message(ctx)));
    if (!st) kind->check(ctx, &f);
    lm_features_clear(&f);
    free(file);
    leman_context_free(ctx);
    return 0;
}

#endif
