/* Known data sets: how to get one that is missing, and whether a file has all graphs of one. */
#include "base/ascii.h"
#include "base/file.h"
#include "cli/commands.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns the known data set that a path names, in upper or lower case: "MUTAG", "data/mutag.zip". NULL: none. */
static const char *known_name(const char *path)
{
    const char *base = lm_path_base(path);
    const char *ending = strrchr(base, '.');
    const bool zip = ending && lm_is_word(ending, strlen(ending), ".zip");
    const size_t length = zip ? (size_t)(ending - base) : strlen(base);
    for (const char *const *name = lm_command_download.operand[0].choices; *name; name++)
        if (lm_is_word(base, length, *name)) return *name;
    return NULL;
}

leman_status lm_known_missing(lm_work *work, leman_status st, const char *path)
{
    leman_download_options offline = leman_download_options_default();
    const char *name = known_name(path);
    char why[LM_SENTENCE], cached[4096];
    if (st != LEMAN_ERROR_FILE || !name || !access(path, F_OK) || errno != ENOENT) return st;
    snprintf(why, sizeof why, "%s", leman_context_message(work->ctx));
    offline.offline = true;
    if (!leman_dataset_download(work->ctx, name, &offline, cached, sizeof cached))
        return lm_fail(work->ctx, st, "%s; the data set %s is in the cache: %s", why, name, cached);
    return lm_fail(work->ctx, st, "%s; 'leman download %s' fetches the data set of that name and prints its path", why,
                   name);
}

void lm_known_log(lm_work *work, const char *path, const leman_dataset *data)
{
    const leman_shape *shape = leman_dataset_shape(data);
    const size_t known = leman_dataset_known_graphs(shape->name);
    if (!known || known == shape->graphs) return;
    const char *has = COUNT_TEXT(shape->graphs), *all = COUNT_TEXT(known);
    if (!strcmp(path, "-")) path = "standard input";
    if (shape->graphs < known)
        lm_work_log(work, "%s: a subset, %s of the %s graphs that %s has", path, has, all, shape->name);
    else
        lm_work_log(work, "%s: found %s graphs, where %s has %s", path, has, shape->name, all);
}
