/*
 * A folder or a zip as a list of named members whose bytes can be had one by one: what the TU reader reads from.
 *
 * Hidden members (a part of the path begins with a dot, or is __MACOSX) are not listed. A zip whose member names an
 * absolute path or climbs out with ".." is refused as a whole, though nothing is ever extracted to disk. Members are
 * decompressed only when asked for; all that are asked for may together take max_bytes.
 */
#ifndef LM_ARCHIVE_H
#define LM_ARCHIVE_H

#include "base/context.h"
#include "base/file.h"

typedef struct lm_member {
    char *name;     /* "NAME/NAME_A.txt" */
    uint64_t index; /* of the entry in a zip */
    bool folder;    /* an entry that a zip says is a folder */
} lm_member;

typedef struct lm_archive lm_archive;
struct lm_archive {
    leman_context *ctx;
    const char *path;  /* of the folder or zip; not owned */
    const char *shown; /* the same for messages: "standard input" for "-" */
    lm_vector members; /* lm_member, by name */
    /* The kind of archive: how a member is read. */
    leman_status (*read)(lm_archive *archive, const lm_member *member, lm_bytes *out);
    uint64_t max_bytes;
    struct zip *zip;                   /* NULL: a folder */
    size_t directory;                  /* bytes that were counted for its directory */
    uint64_t compressed, decompressed; /* bytes of the zip; of the members read from it so far */
};

leman_status lm_archive_open_folder(leman_context *ctx, const char *path, uint64_t max_bytes, lm_archive *out);
/* bytes must stay as long as the archive. path is for messages only. */
leman_status lm_archive_open_zip(leman_context *ctx, const char *path, const lm_bytes *bytes, uint64_t max_bytes,
                                 lm_archive *out);
void lm_archive_close(lm_archive *archive);

/* The bytes of a member, to be closed with lm_bytes_close(); *found is false, and nothing read, where it is missing. */
leman_status lm_archive_read(lm_archive *archive, const char *name, lm_bytes *out, bool *found);
/* "PATH/NAME": the member in messages. From the context's allocator. */
leman_status lm_archive_shown(const lm_archive *archive, const char *name, char **out);

/* For the kinds of archive: lists a member, unless it is hidden; then sorts them all. */
leman_status lm_archive_add(lm_archive *archive, const char *name, uint64_t index, bool folder);
void lm_archive_sort(lm_archive *archive);

#endif
