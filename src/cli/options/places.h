/* The file that a path leads to, however the path is spelled. Two paths are the same place if they lead to one file, or
 * would create one file. */
#ifndef LM_CLI_PLACES_H
#define LM_CLI_PLACES_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

/* What exists at a place. */
typedef enum lm_place_kind {
    LM_PLACE_UNKNOWN, /* its folder does not exist, or cannot be examined */
    LM_PLACE_FREE,    /* nothing yet, in a folder that exists */
    LM_PLACE_FILE,
    LM_PLACE_FOLDER,
    LM_PLACE_PIPE,  /* or a socket; can be read or written only once */
    LM_PLACE_DEVICE /* /dev/null, a terminal; may be named any number of times */
} lm_place_kind;

typedef struct lm_place {
    lm_place_kind kind;
    dev_t device; /* of the file; of its folder if the file does not exist yet */
    ino_t inode;
    dev_t folder_device; /* of the folder that contains it; both 0 if unknown */
    ino_t folder_inode;
    char name[NAME_MAX + 1]; /* in that folder, if the file does not exist yet */
} lm_place;

/* Finds the place of a path. Symbolic links are followed, also to a file that does not exist yet. "-" is standard
 * output if `written`, otherwise standard input. */
lm_place lm_place_find(const char *path, bool written);
/* Returns true if both are one file, by device and inode, or one new name in one folder. */
bool lm_place_same(const lm_place *a, const lm_place *b);
/* Returns true if `file` is a file that lies directly in this folder. */
bool lm_place_inside(const lm_place *file, const lm_place *folder);

#endif
