/* Determines the kind of a file from its first eight bytes. */
#include "base/arguments.h"
#include "base/file.h"
#include "kernel/features/feature_file.h"
#include "learn/gaussian/gp.h"
#include "learn/model/model.h"
#include "learn/protocol/journal.h"
#include "nn/train/run.h"
#include <string.h>
#include <sys/stat.h>

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
    [LEMAN_FILE_KIND_JOURNAL] = {"journal", LM_JOURNAL_MAGIC},
    [LEMAN_FILE_KIND_TASK_MODELS] = {"task models", LM_TASK_MODELS_MAGIC},
    [LEMAN_FILE_KIND_GAUSSIAN_PROCESS] = {"gaussian process", LM_GP_MAGIC},
};

LM_ENUM_NAME(leman_file_kind, kind, "kind of file", KINDS, .name, LEMAN_FILE_KIND_COUNT)

leman_status leman_file_kind_detect(leman_context *ctx, const char *path, leman_file_kind *kind)
{
    struct stat about;
    char bytes[MAGIC];
    size_t size = 0;
    REQUIRE(ctx, path, kind);
    AUTO(lm_input_close) lm_input in = {0};
    if (stat(path, &about) || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) {
        PASS(lm_input_open(ctx, path, &in));
        PASS(lm_input_read(&in, bytes, MAGIC, &size));
    }
    *kind = LEMAN_FILE_KIND_OTHER;
    for (int i = 1; i < LEMAN_FILE_KIND_COUNT && size == MAGIC; i++)
        if (!memcmp(bytes, KINDS[i].magic, MAGIC)) *kind = (leman_file_kind)i;
    return LEMAN_OK;
}
