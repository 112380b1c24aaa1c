/*
 * A folder or a zip as a list of named members whose bytes can be read one by one. The TU reader reads from it.
 *
 * Hidden members (a part of the path begins with a dot, or is __MACOSX) are not listed. A zip is refused if a member
 * has an absolute path or one with "..", although nothing is extracted to disk. Members are decompressed on demand. All
 * members that are read from a zip may together have max_bytes bytes; in a folder, each file may.
 */
#ifndef LM_ARCHIVE_H
#define LM_ARCHIVE_H

#include "base/context.h"
#include "base/file.h"

typedef struct lm_member {
    char *name;     /* "NAME/NAME_A.txt" */
    uint64_t index; /* number of the entry in a zip */
    bool folder;    /* the zip marks the entry as a folder */
} lm_member;

typedef struct lm_archive lm_archive;
struct lm_archive {
    leman_context *ctx;
    const char *shown; /* the path in messages: "standard input" for "-"; not owned */
    lm_vector members; /* lm_member, sorted by name */
    /* Reads a member; depends on the kind of archive. */
    leman_status (*read)(lm_archive *archive, const lm_member *member, lm_bytes *out);
    uint64_t max_bytes;
    struct zip *zip;                   /* NULL: a folder */
    size_t directory;                  /* bytes of the budget that were taken for the directory of the zip */
    uint64_t compressed, decompressed; /* bytes of the zip; bytes of all members read from it */
};

/* The caller closes the archive, even if it cannot be opened. Opens a folder and lists its files; path must remain
 * valid. Fails with LEMAN_ERROR_FILE if it cannot be read. */
leman_status lm_archive_open_folder(leman_context *ctx, const char *path, uint64_t max_bytes, lm_archive *archive);
/* Opens a zip in memory; `bytes` must remain valid as long as the archive. `path` is used for messages only. Fails with
 * LEMAN_ERROR_INPUT if the zip is damaged or unsafe, and with LEMAN_ERROR_BUDGET if its directory is too large. */
leman_status lm_archive_open_zip(leman_context *ctx, const char *path, const lm_bytes *bytes, uint64_t max_bytes,
                                 lm_archive *archive);
void lm_archive_close(lm_archive *archive);

/* Reads the bytes of a member, to be released with lm_bytes_close(). If there is no such member, sets *found to false
 * and reads nothing. */
leman_status lm_archive_read(lm_archive *archive, const char *name, lm_bytes *out, bool *found);
/* Sets *out to "PATH/NAME", the name of the member in messages, from the context's allocator. */
leman_status lm_archive_shown(const lm_archive *archive, const char *name, char **out);

/* Adds a member to the list, unless it is hidden. For the implementations of archives, like lm_archive_sort(). */
leman_status lm_archive_add(lm_archive *archive, const char *name, uint64_t index, bool folder);
/* Sorts the members by name. */
void lm_archive_sort(lm_archive *archive);

#endif
