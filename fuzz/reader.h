/*
 * What the fuzz targets of single-file readers share: read the bytes; what was accepted must be sound, and must come
 * back the same from the writer of its format.
 */
#ifndef FUZZ_READER_H
#define FUZZ_READER_H

#include "io/format.h"
#include <stdlib.h>
#include <string.h>

typedef leman_status fuzz_reader(leman_context *ctx, const char *path, lm_bytes *bytes,
                                 const leman_read_options *options, leman_cleaning *cleaning, leman_dataset **out);
typedef leman_status fuzz_writer(leman_context *ctx, const leman_dataset *data, lm_output *out);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static inline void fuzz_expect(bool holds)
{
    if (!holds) abort();
}

static inline int fuzz_collect(void *user, const char *bytes, size_t size)
{
    lm_bytes *all = user;
    char *text = realloc((void *)(uintptr_t)all->data, all->size + size);
    fuzz_expect(text != NULL);
    memcpy(text + all->size, bytes, size);
    *all = (lm_bytes){.data = text, .size = all->size + size};
    return 0;
}

static inline bool fuzz_same(const leman_dataset *a, const leman_dataset *b)
{
    size_t labels = a->arcs * a->columns.edge_labels, attributes = a->arcs * a->columns.edge_attributes;
    return a->graphs == b->graphs && a->vertices == b->vertices && a->arcs == b->arcs &&
           a->columns.edge_labels == b->columns.edge_labels &&
           a->columns.edge_attributes == b->columns.edge_attributes &&
           !memcmp(a->graph_start, b->graph_start, (a->graphs + 1) * sizeof *a->graph_start) &&
           !memcmp(a->vertex_start, b->vertex_start, (a->vertices + 1) * sizeof *a->vertex_start) &&
           (!a->arcs || !memcmp(a->arc_head, b->arc_head, a->arcs * sizeof *a->arc_head)) &&
           a->columns.vertex_labels == b->columns.vertex_labels &&
           (!a->vertex_label || !memcmp(a->vertex_label, b->vertex_label,
                                        a->vertices * a->columns.vertex_labels * sizeof *a->vertex_label)) &&
           (!labels || !memcmp(a->edge_label, b->edge_label, labels * sizeof *a->edge_label)) &&
           (!attributes || !memcmp(a->edge_attribute, b->edge_attribute, attributes * sizeof *a->edge_attribute));
}

/* Reads a file with these options; `choices` chooses the policy. write is NULL where the format is not written. */
static inline void fuzz_read_with(leman_read_options *options, unsigned choices, const uint8_t *bytes, size_t size,
                                  fuzz_reader *read, fuzz_writer *write)
{
    leman_settings settings = leman_settings_default();
    leman_read_options right;
    leman_policy policy = leman_policy_default();
    leman_context *ctx = NULL;
    leman_dataset *data = NULL, *back = NULL;
    settings.threads = 1;
    settings.memory = 1 << 20; /* graph6 may announce isolated vertices, and is written with n^2 bits */
    options->max_bytes = 1 << 16;
    options->policy = &policy;
    policy.directed = choices & 1;
    policy.self_loops = choices & 2 ? LEMAN_ACTION_KEEP : LEMAN_ACTION_REMOVE;
    policy.isolated_vertices = choices & 4 ? LEMAN_ACTION_REMOVE : LEMAN_ACTION_KEEP;
    options->class_column = choices & 8 ? "kind" : NULL;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    if (lm_read_options_copy(ctx, options, &right, &policy)) { /* options that contradict each other */
        leman_context_free(ctx);
        return;
    }
    lm_bytes file = {.data = (const char *)bytes, .size = size}, written = {0};
    leman_status st = read(ctx, "fuzz", &file, &right, NULL, &data);
    fuzz_expect(st ? *leman_context_message(ctx) != 0 && st != LEMAN_ERROR_INTERNAL : data != NULL);
    if (!st) fuzz_expect(!leman_dataset_check(ctx, data));
    if (!st && write) {
        lm_output out = {0};
        policy.isolated_vertices = LEMAN_ACTION_KEEP; /* they come from removed loops */
        fuzz_expect(!lm_output_open_sink(ctx, "fuzz", fuzz_collect, &written, &out));
        st = write(ctx, data, &out);
        if (!st) fuzz_expect(!lm_output_commit(&out));
        lm_output_abort(&out);
        leman_status again = st ? st : read(ctx, "fuzz", &written, &right, NULL, &back);
        if (!st) fuzz_expect(again ? again == LEMAN_ERROR_BUDGET : fuzz_same(data, back)); /* both data sets count */
    }
    free((void *)(uintptr_t)written.data);
    leman_dataset_free(data);
    leman_dataset_free(back);
    leman_context_free(ctx);
}

/* The first byte chooses the policy, the rest is the file. */
static inline int fuzz_read(const uint8_t *bytes, size_t size, fuzz_reader *read, fuzz_writer *write)
{
    leman_read_options options = leman_read_options_default();
    if (size) fuzz_read_with(&options, bytes[0], bytes + 1, size - 1, read, write);
    return 0;
}

/* The first two bytes choose the policy and how molecules are read, the rest is the file. */
static inline int fuzz_read_molecules(const uint8_t *bytes, size_t size, fuzz_reader *read)
{
    leman_read_options options = leman_read_options_default();
    if (size < 2) return 0;
    options.atom_labels = (bytes[0] & 16 ? LEMAN_ATOM_COLUMNS : 0) | (bytes[0] & 128 ? LEMAN_ATOM_ECFP : 0);
    options.standardize = bytes[1] >> 3 & LEMAN_STANDARDIZE_ALL;
    options.hydrogens = (leman_hydrogens)(bytes[0] >> 5 & 3);
    options.aromatic = (leman_aromatic)(bytes[1] & 3);
    options.stereo = bytes[1] & 4 ? LEMAN_STEREO_LABELS : LEMAN_STEREO_NONE;
    options.censored = bytes[1] & 64;
    options.skip_unreadable = bytes[1] & 128;
    fuzz_read_with(&options, bytes[0], bytes + 2, size - 2, read, NULL);
    return 0;
}

#endif
