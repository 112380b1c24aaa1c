/*
 * Checks the files of a command line: operands, and options whose value is a FILE. Files are compared by device and
 * inode, so that a/../b, ./b, links and /dev/fd/1 are recognised as one file.
 */
#include "cli/options/files.h"
#include "base/file.h"
#include "base/ranks/ranks.h"
#include "base/system/system.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Places: the file that a path leads to, however the path is spelled ------------------------ */

/* What exists at a place. */
typedef enum place_kind {
    PLACE_UNKNOWN, /* its folder does not exist, or cannot be examined */
    PLACE_FREE,    /* nothing yet, in a folder that exists */
    PLACE_FILE,
    PLACE_FOLDER,
    PLACE_PIPE,  /* or a socket; can be read or written only once */
    PLACE_DEVICE /* /dev/null, a terminal; may be named any number of times */
} place_kind;

typedef struct file_place {
    place_kind kind;
    dev_t device; /* of the file; of its folder if the file does not exist yet */
    ino_t inode;
    dev_t folder_device; /* of the folder that contains it; both 0 if unknown */
    ino_t folder_inode;
    char name[NAME_MAX + 1]; /* in that folder, if the file does not exist yet */
} file_place;

enum { MAX_LINKS = 40 };

static place_kind kind_of(mode_t mode)
{
    if (S_ISREG(mode)) return PLACE_FILE;
    if (S_ISDIR(mode)) return PLACE_FOLDER;
    return S_ISFIFO(mode) || S_ISSOCK(mode) ? PLACE_PIPE : PLACE_DEVICE;
}

static file_place place_of(const struct stat *about)
{
    return (file_place){.kind = kind_of(about->st_mode), .device = about->st_dev, .inode = about->st_ino};
}

/* Splits a path into folder and last name: "a/b/c/" -> "a/b/" and "c", "c" -> "." and "c". Returns false if there is no
 * name or it is too long. */
static bool cut_name(char *path, char *name)
{
    size_t length = strlen(path);
    while (length > 1 && strchr(LM_SEPARATORS, path[length - 1])) path[--length] = 0;
    char *base = path + (lm_path_base(path) - path);
    if (!*base || strlen(base) > NAME_MAX) return false;
    strcpy(name, base);
    strcpy(base, base == path ? "." : "");
    return true;
}

/* Replaces a link by its target, relative to the folder of the link. Returns false on failure. */
static bool follow(char *path)
{
    char target[PATH_MAX], name[NAME_MAX + 1];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0 || !cut_name(path, name)) return false;
    target[length] = 0;
    if (*target == '/') *path = 0;
    size_t used = strlen(path);
    bool slash = used && path[used - 1] != '/';
    return (size_t)snprintf(path + used, PATH_MAX - used, "%s%s", slash ? "/" : "", target) < PATH_MAX - used;
}

/* Returns the place of a path at which nothing exists yet. */
static file_place free_place(const char *from)
{
    file_place place = {0};
    struct stat about;
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s", from) >= sizeof path) return place;
    for (int links = 0; !lstat(path, &about) && S_ISLNK(about.st_mode); links++)
        if (links == MAX_LINKS || !follow(path)) return place;
    if (!cut_name(path, place.name) || stat(path, &about)) return place;
    place.kind = PLACE_FREE;
    place.device = place.folder_device = about.st_dev;
    place.inode = place.folder_inode = about.st_ino;
    return place;
}

/* Finds the place of a path. Symbolic links are followed, also to a file that does not exist yet. "-" is standard
 * output if `written`, otherwise standard input. */
static file_place place_find(const char *path, bool written)
{
    struct stat about;
    char behind[PATH_MAX], name[NAME_MAX + 1];
    file_place place = {0};
    if (!strcmp(path, "-")) {
        if (!fstat(written ? STDOUT_FILENO : STDIN_FILENO, &about)) place = place_of(&about);
        return place;
    }
    if (stat(path, &about)) return errno == ENOENT ? free_place(path) : place;
    place = place_of(&about);
    if (place.kind == PLACE_FILE && realpath(path, behind) && cut_name(behind, name) && !stat(behind, &about)) {
        place.folder_device = about.st_dev;
        place.folder_inode = about.st_ino;
    }
    return place;
}

/* Returns true if both are one file, by device and inode, or one new name in one folder. */
static bool place_same(const file_place *a, const file_place *b)
{
    if (!a->kind || a->kind != b->kind || a->device != b->device || a->inode != b->inode) return false;
    return a->kind != PLACE_FREE || !strcmp(a->name, b->name);
}

/* Returns true if `file` is a file that lies directly in this folder. */
static bool place_inside(const file_place *file, const file_place *folder)
{
    return file->kind == PLACE_FILE && folder->kind == PLACE_FOLDER && file->folder_inode == folder->inode &&
           file->folder_device == folder->device;
}

/* ---- The files --------------------------------------------------------------------------------- */

/* One file, an element of lm_work.files. */
typedef struct named {
    char name[32]; /* "DATA", "--output" */
    char *path;
    file_place place;
    bool written, result;       /* result: may be "-", standard output */
    const char *const *endings; /* allowed endings of a written file; NULL: any */
} named;

static bool is_standard(const char *path)
{
    return !strcmp(path, "-");
}

/* ---- Endings --------------------------------------------------------------------------------- */

const char *const LM_RESULT_ENDINGS[] = {".txt", ".log", ".json", "", NULL};
const char *const LM_PAGE_ENDINGS[] = {".html", ".htm", NULL};
const char *const LM_OWN_ENDINGS[] = {NULL};
/* Endings that stand for something other than graphs, or for formats of other programs. */
static const char *const MEANINGS[] = {".json", ".html", ".htm", ".md",  ".xml", ".svg", ".dot", ".npy", ".npz",
                                       ".mtx",  ".svm",  ".gz",  ".gml", ".png", ".pdf", ".lmf", NULL};

static bool ends_in_one(const char *path, const char *const *endings)
{
    for (; *endings; endings++)
        if (**endings ? lm_path_ends(path, *endings) : !lm_path_ending(path)) return true;
    return false;
}

/* Returns true if the ending of the path stands for a format. Any text may end in .txt. */
static bool has_meaning(const char *path)
{
    const char *ending;
    for (int i = 0; i < LEMAN_FORMAT_COUNT && !lm_path_ends(path, ".txt"); i++)
        for (size_t j = 0; (ending = leman_format_ending((leman_format)i, j)); j++)
            if (lm_path_ends(path, ending)) return true;
    return ends_in_one(path, MEANINGS);
}

/* Writes "ends in .csv or .json, or has no ending" into text[size]. */
static void endings_text(const char *const *endings, char *text, size_t size)
{
    lm_joined list = lm_joined_begin(text, size);
    for (size_t i = 0; endings[i]; i++) {
        const bool last = !endings[i + 1] || !*endings[i + 1];
        const char *between = !i ? "ends in " : *endings[i] && !last ? ", " : *endings[i] ? " or " : ", or ";
        lm_joined_add(&list, "%s%s", between, *endings[i] ? endings[i] : "has no ending");
    }
}

leman_status lm_ending_check(leman_context *ctx, const char *name, const char *path, const char *const *endings)
{
    const place_kind kind = place_find(path, true).kind;
    char text[128];
    if (kind == PLACE_PIPE || kind == PLACE_DEVICE || is_standard(path)) return LEMAN_OK;
    if (endings == LM_OWN_ENDINGS) {
        if (!has_meaning(path)) return LEMAN_OK;
        return MISUSE(
            ctx, "option '%s': found '%s', but this option does not write %s files; expected another ending, or none",
            name, path, lm_path_ending(path));
    }
    if (ends_in_one(path, endings)) return LEMAN_OK;
    endings_text(endings, text, sizeof text);
    return MISUSE(ctx, "option '%s': found '%s', expected a name that %s", name, path, text);
}

/* ---- Two files ------------------------------------------------------------------------------- */

/* Writes "found 'a' for both", or "found 'a' and './a', which are one file", into text[size] and returns text. */
static const char *found_text(const named *a, const named *b, char *text, size_t size)
{
    if (!strcmp(a->path, b->path))
        snprintf(text, size, "found '%s' for both", a->path);
    else
        snprintf(text, size, "found '%s' and '%s', which are one file", a->path, b->path);
    return text;
}

static leman_status compare(lm_work *work, const named *a, const named *b)
{
    leman_context *ctx = work->ctx;
    const named *input = a->written ? b : a, *output = a->written ? a : b;
    const bool both = a->written && b->written, same = place_same(&a->place, &b->place);
    char text[600];
    if (!output->written) {
        if (!(is_standard(a->path) && is_standard(b->path)) && !(same && a->place.kind == PLACE_PIPE)) return LEMAN_OK;
        return MISUSE(ctx, "%s and %s: found '%s' for both, which can be read only once", a->name, b->name, a->path);
    }
    if (!both && place_inside(&output->place, &input->place) && !work->options->force)
        return MISUSE(ctx, "%s: found '%s', which lies in the input folder %s; expected another folder, or --force",
                      output->name, output->path, input->path);
    if (!same || a->place.kind == PLACE_DEVICE) return LEMAN_OK;
    if (both)
        return MISUSE(ctx, "%s and %s: %s, expected two files", a->name, b->name, found_text(a, b, text, sizeof text));
    if (work->options->force || a->place.kind == PLACE_FOLDER) return LEMAN_OK; /* folders are never overwritten */
    return MISUSE(ctx, "%s and %s: %s, expected two files, or --force to write over %s", a->name, b->name,
                  found_text(a, b, text, sizeof text), input->name);
}

static leman_status check_output(leman_context *ctx, const named *file)
{
    if (!file->written) return LEMAN_OK;
    const size_t length = strlen(file->path);
    if (file->place.kind == PLACE_FOLDER || (length && strchr(LM_SEPARATORS, file->path[length - 1])))
        return LEMAN_OK; /* the command checks folders */
    return lm_output_check(ctx, file->path);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static leman_status add(lm_work *work, const char *name, const char *path, bool written, bool result,
                        const char *const *endings)
{
    named file = {.written = written, .result = result, .endings = endings, .place = place_find(path, written)};
    const named *other = work->files.items;
    snprintf(file.name, sizeof file.name, "%s", name);
    if (!*path)
        return MISUSE(work->ctx,
                      "%s is empty: expected the name of a file%s (perhaps a shell substitution printed nothing)",
                      file.name, written ? "" : " or folder");
    if (written && !result && is_standard(path))
        return MISUSE(work->ctx, "option '%s': found -, expected a file: standard output is for the result", file.name);
    PASS_SCRATCH(work->ctx, file.path, strlen(path) + 1);
    strcpy(file.path, path);
    for (size_t i = 0; i < work->files.count; i++) PASS(compare(work, other + i, &file));
    return lm_vector_append(work->ctx, &work->files, &file, 1, sizeof file);
}

/* Adds the file of an option. A `kept` file counts as written only if it does not exist yet. */
static leman_status add_option(lm_work *work, const lm_option *row, const char *path)
{
    const bool written = row->written || (row->kept && place_find(path, true).kind <= PLACE_FREE);
    char name[32];
    snprintf(name, sizeof name, "--%s", row->name);
    return add(work, name, path, written, row->letter == 'o', row->endings);
}

/* Adds standard output, unless a result goes there already: it may be one of the files too. */
static leman_status add_standard_output(lm_work *work)
{
    const file_place place = place_find("-", true);
    const named *file = work->files.items;
    for (size_t i = 0; i < work->files.count; i++)
        if (file[i].written && file[i].result && place_same(&file[i].place, &place)) return LEMAN_OK;
    return add(work, "standard output", "-", true, true, NULL);
}

static leman_status add_options(lm_work *work, const lm_command *command, lm_common *options)
{
    const lm_option *row;
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));) {
        const void *member = (const char *)options + row->field;
        if (!row->value || strcmp(row->value, "FILE")) continue;
        if (row->kind == LM_TEXT) {
            const char *path;
            memcpy(&path, member, sizeof path);
            if (path) PASS(add_option(work, row, path));
            if (path && row->results && lm_path_ends(path, ".json")) options->json = true;
        } else if (row->kind == LM_TEXTS) {
            const lm_texts *texts = member;
            const char *const *path = texts->text.items;
            for (size_t i = 0; i < texts->text.count; i++) PASS(add_option(work, row, path[i]));
        }
    }
    return LEMAN_OK;
}

leman_status lm_files_check(lm_work *work, const lm_command *command, lm_common *options)
{
    for (size_t i = 0; i < options->operands; i++) {
        const lm_operand *operand = command->operand + i;
        if (!operand->choices && !command->words)
            PASS(add(work, operand->name, options->operand[i], command->writes == i + 1, true, NULL));
    }
    PASS(add_options(work, command, options));
    PASS(add_standard_output(work));
    const named *file = work->files.items;
    for (size_t i = 0; i < work->files.count; i++)
        if (file[i].written && file[i].endings)
            PASS(lm_ending_check(work->ctx, file[i].name, file[i].path, file[i].endings));
    for (size_t i = 0; i < work->files.count; i++) PASS(check_output(work->ctx, file + i));
    return LEMAN_OK;
}

leman_status lm_files_add(lm_work *work, const char *name, const char *path)
{
    leman_status st = LEMAN_OK;
    lm_ranks_begin(work->ctx); /* only rank 0 checks: it may already be renaming files */
    if (lm_rank(work->ctx)) goto done;
    TRY(add(work, name, path, true, false, NULL));
    TRY(lm_output_check(work->ctx, path));
done:
    return lm_ranks_end(work->ctx, st);
}

bool lm_files_mentioned(const lm_work *work, const char *sentence)
{
    const named *file = work->files.items;
    for (size_t i = 0; i < work->files.count; i++)
        if (!is_standard(file[i].path) && lm_names_file(sentence, file[i].path)) return true;
    return false;
}
