/* The kind of a file, by its first eight bytes. */
#include "base/arguments.h"
#include "base/file.h"
#include "kernel/feature_file.h"
#include "learn/journal.h"
#include "learn/model.h"
#include "nn/train/run.h"
#include <string.h>

enum { MAGIC = 8 };

static const struct {
    const char *name, *magic;
} KINDS[] = {
    [LEMAN_FILE_KIND_OTHER] = {"other", NULL},
    [LEMAN_FILE_KIND_DATASET] = {"dataset", LM_DATASET_MAGIC},
    [LEMAN_FILE_KIND_FEATURES] = {"features", LM_FEATURES_MAGIC},
    [LEMAN_FILE_KIND_FEATURE_COLUMNS] = {"feature columns", LM_COLUMNS_MAGIC},
    [LEMAN_FILE_KIND_MODEL] = {"model", LM_MODEL_MAGIC},
    [LEMAN_FILE_KIND_NETWORK] = {"network", LM_CHECKPOINT_MAGIC},
    [LEMAN_FILE_KIND_NETWORK_JOURNAL] = {"network journal", LM_NETWORK_JOURNAL_MAGIC},
};
_Static_assert(sizeof KINDS / sizeof *KINDS == LEMAN_FILE_KIND_COUNT, "a row for every kind");

const char *leman_file_kind_name(leman_file_kind kind)
{
    return lm_names_get(LM_NAMES("kind of file", KINDS, .name), (int)kind);
}

leman_status leman_file_kind_parse(leman_context *ctx, const char *name, leman_file_kind *kind)
{
    return PARSE_ENUM(ctx, LM_NAMES("kind of file", KINDS, .name), name, kind);
}

leman_status leman_file_kind_detect(leman_context *ctx, const char *path, leman_file_kind *kind)
{
    leman_status st = LEMAN_OK;
    lm_bytes bytes = {0};
    REQUIRE(ctx, path);
    REQUIRE(ctx, kind);
    TRY(lm_bytes_open(ctx, path, UINT64_MAX, &bytes));
    *kind = LEMAN_FILE_KIND_OTHER;
    for (int i = 1; i < LEMAN_FILE_KIND_COUNT && bytes.size >= MAGIC; i++)
        if (!memcmp(bytes.data, KINDS[i].magic, MAGIC)) *kind = (leman_file_kind)i;
done:
    lm_bytes_close(ctx, &bytes);
    return st;
}
