/* Labels of the rows of a matrix as CSV, one line for each graph. */
#include "cli/labels.h"
#include "cli/options/files.h"
#include <math.h>
#include <string.h>

leman_status lm_row_labels_path(lm_work *work, const char *matrix, const char *ending, char **out)
{
    char *path;
    const size_t size = strlen(matrix) + strlen(ending) + 1;
    if (!strcmp(matrix, "-"))
        return MISUSE(work->ctx,
                      "option '--with-labels': the result goes to standard output, expected a file to write beside");
    PASS_SCRATCH(work->ctx, path, size);
    strcpy(path, matrix);
    char *last = lm_path_ends(path, ".gz") ? strrchr(path, '.') : NULL;
    if (last) *last = 0;
    if ((last = strrchr(path, '.'))) *last = 0; /* the ending of the format */
    strcat(path, ending);
    PASS(lm_files_add(work, "--with-labels", path));
    *out = path;
    return LEMAN_OK;
}

static void put_head(const leman_dataset *data, size_t targets, lm_output *out)
{
    lm_output_printf(out, "graph,name,class");
    for (size_t t = 0; t < targets; t++) {
        size_t length;
        const char *name = leman_dataset_target_name(data, t, &length);
        lm_output_write(out, ",", 1);
        if (length)
            lm_output_csv_field(out, name, length, false);
        else
            lm_output_printf(out, "target_%zu", t);
    }
    lm_output_write(out, "\n", 1);
}

/* Missing values become empty fields. */
static leman_status put_rows(const leman_dataset *data, size_t targets, lm_output *out)
{
    const int64_t *class_label = leman_dataset_classes(data);
    const double *target = leman_dataset_targets(data);
    for (size_t g = 0; g < leman_dataset_shape(data)->graphs; g++) {
        size_t length;
        const char *name = leman_dataset_graph_name(data, g, &length);
        lm_output_integer(out, (int64_t)g);
        lm_output_write(out, ",", 1);
        if (length) lm_output_csv_field(out, name, length, false);
        lm_output_write(out, ",", 1);
        if (class_label && class_label[g] != LEMAN_CLASS_MISSING) lm_output_integer(out, class_label[g]);
        for (size_t t = 0; t < targets; t++) {
            lm_output_write(out, ",", 1);
            if (!isnan(target[g * targets + t])) lm_output_real(out, target[g * targets + t]);
        }
        PASS(lm_output_write(out, "\n", 1));
    }
    return LEMAN_OK;
}

leman_status lm_row_labels_write(lm_work *work, const leman_dataset *data, const char *matrix, const char *ending,
                                 lm_output *out)
{
    const size_t targets = leman_dataset_shape(data)->columns->targets;
    char *path;
    PASS(lm_row_labels_path(work, matrix, ending, &path));
    PASS(lm_output_open(work->ctx, path, out));
    put_head(data, targets, out);
    return put_rows(data, targets, out);
}
