/*
 * The TU reader over files in memory. The first byte of the input chooses the policy, the second which tables exist;
 * the rest is cut at bytes 0xff into the texts of _A, _graph_indicator, the six tables and the two files of names
 * (which the first byte chooses too), in that order. What reads must satisfy every invariant of a data set.
 */
#include "base/context.h"
#include "io/tu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES = LM_TU_TABLES + 2, FILES = TABLES + 2 };

typedef struct memory_archive {
    lm_archive archive;
    lm_bytes files[FILES];
} memory_archive;

static leman_status read_memory(lm_archive *archive, const lm_member *member, lm_bytes *out)
{
    leman_status st = LEMAN_OK;
    lm_bytes from = ((memory_archive *)(void *)archive)->files[member->index];
    char *copy = NULL;
    NEW(archive->ctx, copy, from.size); /* of the exact size, so that a look beyond it is seen */
    if (from.size) memcpy(copy, from.data, from.size);
    *out = (lm_bytes){copy, from.size, false};
done:
    return st;
}

static leman_policy policy_of(unsigned bits)
{
    leman_policy policy = leman_policy_default();
    policy.directed = bits & 1;
    if (bits & 2) policy.self_loops = LEMAN_ACTION_KEEP;
    if (bits & 4) policy.isolated_vertices = policy.empty_graphs = LEMAN_ACTION_REMOVE;
    if (bits & 8) policy.one_way_edges = LEMAN_ACTION_REMOVE;
    return policy;
}

static void check(leman_context *ctx, const leman_dataset *data)
{
    if (leman_dataset_check(ctx, data)) {
        fprintf(stderr, "%s\n", leman_context_message(ctx));
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2) return 0;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_dataset *data = NULL;
    leman_cleaning cleaning;
    settings.threads = 1;
    if (leman_context_new(&settings, &ctx)) return 0;
    memory_archive memory = {.archive = {.ctx = ctx, .shown = "fuzz", .read = read_memory}};
    const char *at = (const char *)bytes + 2, *end = (const char *)bytes + size;
    leman_status st = LEMAN_OK;
    for (unsigned i = 0; i < FILES && !st; i++) {
        const char *cut = at < end ? memchr(at, 0xff, (size_t)(end - at)) : NULL;
        if (!cut) cut = end;
        memory.files[i] = (lm_bytes){at, (size_t)(cut - at), false};
        at = cut < end ? cut + 1 : end;
        char name[64];
        snprintf(name, sizeof name, "S%s",
                 i == 0        ? LM_TU_EDGES
                 : i == 1      ? LM_TU_INDICATOR
                 : i == TABLES ? LM_TU_TARGET_NAMES
                 : i > TABLES  ? LM_TU_CLASS_NAMES
                               : lm_tu_tables[i - 2].ending);
        if (i < 2 || (i < TABLES ? bytes[1] >> i & 1 : bytes[0] >> (i - TABLES + 4) & 1))
            st = lm_archive_add(&memory.archive, name, i, false);
    }
    lm_archive_sort(&memory.archive);
    leman_read_options options = leman_read_options_default();
    leman_policy policy = policy_of(bytes[0]);
    options.policy = &policy;
    if (!st && !lm_tu_read_archive(ctx, &memory.archive, &options, &cleaning, &data)) check(ctx, data);
    leman_dataset_free(data);
    lm_archive_close(&memory.archive);
    leman_context_free(ctx);
    return 0;
}
