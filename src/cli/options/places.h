/* Where a path leads, however it is spelled: two paths are one place where they are one file, or would become one. */
#ifndef LM_CLI_PLACES_H
#define LM_CLI_PLACES_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

/* What stands at a place. */
typedef enum lm_place_kind {
    LM_PLACE_UNKNOWN, /* not even its folder is there, or it may not be looked at */
    LM_PLACE_FREE,    /* nothing yet, in a folder that is there */
    LM_PLACE_FILE,
    LM_PLACE_FOLDER,
    LM_PLACE_PIPE,  /* or a socket: it is read and written once */
    LM_PLACE_DEVICE /* may be named as often as one likes: /dev/null, a terminal */
} lm_place_kind;

typedef struct lm_place {
    lm_place_kind kind;
    dev_t device; /* of what is there; of its folder where nothing is there yet */
    ino_t inode;
    dev_t folder_device; /* of the folder that it lies in; 0 with folder_inode 0 where that is not known */
    ino_t folder_inode;
    char name[NAME_MAX + 1]; /* in that folder, where nothing is there yet */
} lm_place;

/* Symbolic links are followed, also those to a file that does not exist yet; "-" is standard output where `written`,
 * else standard input. */
lm_place lm_place_find(const char *path, bool written);
/* One file, by device and inode, or one name in one folder. */
bool lm_place_same(const lm_place *a, const lm_place *b);
/* Is it a file that lies in this folder? */
bool lm_place_inside(const lm_place *file, const lm_place *folder);

#endif
