/* Small TU sets as texts, written to folders: for the tests of the TU reader. */
#ifndef TEST_TU_SETS_H
#define TEST_TU_SETS_H

#include "support/support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 10 };
static const char *const ENDINGS[FILES] = {
    "A",           "graph_indicator", "graph_labels", "graph_attributes", "node_labels", "node_attributes",
    "edge_labels", "edge_attributes", "target_names", "class_names"};

/* The text of each file; NULL: there is none. */
typedef struct set {
    const char *text[FILES];
} set;

/* Two graphs: a triangle without one side, and an edge. */
static const set GOOD = {{"1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n", "1\n1\n1\n2\n2\n", "7\n-1\n", "0.5, 1\n-2, 1e3\n",
                          "0\n1\n0\n2\n2\n", "1.5\n2\n3\n4\n5e-1\n", "9\n9\n8\n8\n-7\n-7\n",
                          "1, 2\n3, 4\n5, 6\n7, 8\n0, 0\n0, 1\n", NULL, NULL}};

static inline const char *make_set(const char *folder, const char *name, const set *s)
{
    char file[256];
    mkdir(test_path(folder, name), 0777);
    for (int i = 0; i < FILES; i++) {
        snprintf(file, sizeof file, "%s/%s_%s.txt", name, name, ENDINGS[i]);
        if (s->text[i])
            test_file_text(folder, file, s->text[i]);
        else
            unlink(test_path(folder, file));
    }
    return test_path(folder, name);
}

static inline leman_dataset *read_set(leman_context *ctx, const char *path, const leman_policy *policy,
                                      leman_cleaning *cleaning)
{
    leman_read_options options = leman_read_options_default();
    leman_dataset *data = NULL;
    options.policy = policy;
    if (leman_dataset_read(ctx, path, &options, cleaning, &data)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    return data;
}

/* GOOD with one file replaced (or, NULL, left out). */
static inline set good_but(const char *ending, const char *text)
{
    set s = GOOD;
    for (int i = 0; i < FILES; i++)
        if (!strcmp(ENDINGS[i], ending)) s.text[i] = text;
    return s;
}

#endif
