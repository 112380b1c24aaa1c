/* Steps of leman demo: file formats, and repairs while reading. */
#include "cli/demo/demo.h"
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Files ----------------------------------------------------------------------------------- */

leman_status lm_demo_folder(lm_demo *d)
{
    if (*d->folder) return LEMAN_OK;
    const char *parent = getenv("TMPDIR");
    int length = snprintf(d->folder, sizeof d->folder, "%s/leman-demo-XXXXXX", parent && *parent ? parent : "/tmp");
    if (length > 0 && (size_t)length < sizeof d->folder && mkdtemp(d->folder)) return LEMAN_OK;
    leman_status st = lm_fail_errno(d->ctx, errno, "%s: a temporary folder cannot be made", d->folder);
    *d->folder = 0;
    return st;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

void lm_demo_folder_remove(lm_demo *d)
{
    if (*d->folder) nftw(d->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    *d->folder = 0;
}

/* Writes the molecules to a file, reads them back, and adds a row with the result. */
static leman_status show_file(lm_demo *d, lm_table *table, const leman_dataset *data, const char *name,
                              const char *keeps)
{
    leman_status st = LEMAN_OK;
    leman_dataset *back = NULL;
    const leman_shape *written = leman_dataset_shape(data), *read;
    struct stat about;
    char path[1024], number[LM_NUMBER_TEXT];
    snprintf(path, sizeof path, "%s/%s", d->folder, name);
    TRY(leman_dataset_write(d->ctx, data, path, LEMAN_FORMAT_AUTO));
    double begin = lm_now();
    TRY(leman_dataset_read(d->ctx, path, NULL, NULL, &back));
    double seconds = lm_now() - begin;
    read = leman_dataset_shape(back);
    if (read->graphs != written->graphs || read->vertices != written->vertices || read->edges != written->edges)
        FAIL(d->ctx, LEMAN_ERROR_INTERNAL, "%s: what was read is not what was written", path);
    bool file = !stat(path, &about) && S_ISREG(about.st_mode);
    lm_table_cell(table, "%s", name);
    lm_table_cell(table, "%s", file ? lm_bytes_text((uint64_t)about.st_size, number) : "");
    lm_table_cell(table, "%.1f ms", 1000 * seconds);
    lm_table_cell(table, "%s", keeps);
done:
    leman_dataset_free(back);
    return st;
}

leman_status lm_demo_files(lm_demo *d)
{
    static const char *const FILES[][2] = {{"molecules", "everything, as text in a folder"},
                                           {"molecules.zip", "the same as one zip"},
                                           {"molecules.leman", "everything, quick to read"}};
    leman_status st = LEMAN_OK;
    lm_table table = {.ctx = d->ctx, .align = "lrrl"};
    leman_dataset *bare = NULL;
    leman_columns none = {0};
    TRY(lm_demo_folder(d));
    TRY(leman_dataset_keep(d->ctx, d->molecules, &none, &bare));
    TRY(lm_write_wrapped(d->out,
                         "The molecules written in several formats, and read back. 'leman convert IN OUT' does this "
                         "for your data; the ending of OUT says the format.",
                         0, 0));
    TRY(lm_write_text(d->out, "\n"));
    lm_table_cell(&table, "file");
    lm_table_cell(&table, "size");
    lm_table_cell(&table, "to read");
    lm_table_cell(&table, "keeps");
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        TRY(show_file(d, &table, d->molecules, FILES[i][0], FILES[i][1]));
    TRY(show_file(d, &table, bare, "molecules.g6", "the bare graphs, one a line"));
    TRY(lm_table_write(&table, d->out));
done:
    leman_dataset_free(bare);
    lm_table_free(&table);
    return st;
}

/* ---- What real files get wrong --------------------------------------------------------------- */

static leman_status write_file(lm_demo *d, const char *name, const char *text)
{
    leman_status st = LEMAN_OK;
    lm_output file = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/messy/messy_%s.txt", d->folder, name);
    TRY(lm_output_open(d->ctx, path, &file));
    TRY(lm_write_text(&file, text));
    TRY(lm_output_commit(&file));
done:
    lm_output_abort(&file);
    return st;
}

leman_status lm_demo_cleaning(lm_demo *d)
{
    leman_status st = LEMAN_OK;
    leman_dataset *data = NULL;
    leman_policy policy = leman_policy_default();
    leman_cleaning report = {0};
    char path[1024], text[128];
    TRY(lm_demo_folder(d));
    snprintf(path, sizeof path, "%s/messy", d->folder);
    if (mkdir(path, 0777)) TRY(lm_fail_errno(d->ctx, errno, "%s: cannot be made", path));
    TRY(write_file(d, "graph_indicator", "1\n1\n1\n1\n"));
    TRY(write_file(d, "A", "1, 2\n2, 1\n1, 2\n2, 3\n3, 4\n4, 4\n"));
    TRY(leman_dataset_read(d->ctx, path, NULL, &report, &data));
    TRY(lm_write_wrapped(d->out,
                         "Files often list edges twice, in one direction only, or from a vertex to itself. Nothing of "
                         "this is changed in silence; --policy says what is allowed. One such file of six lines:",
                         0, 0));
    TRY(lm_write_text(d->out, "\n"));
    for (size_t at = 0; lm_cleaning_next(&policy, &report, &at, text, sizeof text);)
        TRY(lm_output_printf(d->out, "  %s\n", text));
done:
    leman_dataset_free(data);
    return st;
}
