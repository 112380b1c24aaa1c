/* Compares files by device and inode, so that a/../b, ./b, links and /dev/fd/1 are recognised as one file. */
#include "cli/options/places.h"
#include "base/file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINKS = 40 };

static lm_place_kind kind_of(mode_t mode)
{
    if (S_ISREG(mode)) return LM_PLACE_FILE;
    if (S_ISDIR(mode)) return LM_PLACE_FOLDER;
    return S_ISFIFO(mode) || S_ISSOCK(mode) ? LM_PLACE_PIPE : LM_PLACE_DEVICE;
}

static lm_place place_of(const struct stat *about)
{
    return (lm_place){.kind = kind_of(about->st_mode), .device = about->st_dev, .inode = about->st_ino};
}

/* Splits a path into folder and last name: "a/b/c/" -> "a/b/" and "c", "c" -> "." and "c". Returns false if there is no
 * name or it is too long. */
static bool cut_name(char *path, char *name)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') path[--length] = 0;
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
static lm_place free_place(const char *from)
{
    lm_place place = {0};
    struct stat about;
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s", from) >= sizeof path) return place;
    for (int links = 0; !lstat(path, &about) && S_ISLNK(about.st_mode); links++)
        if (links == MAX_LINKS || !follow(path)) return place;
    if (!cut_name(path, place.name) || stat(path, &about)) return place;
    place.kind = LM_PLACE_FREE;
    place.device = place.folder_device = about.st_dev;
    place.inode = place.folder_inode = about.st_ino;
    return place;
}

lm_place lm_place_find(const char *path, bool written)
{
    struct stat about;
    char behind[PATH_MAX], name[NAME_MAX + 1];
    lm_place place = {0};
    if (!strcmp(path, "-")) {
        if (!fstat(written ? STDOUT_FILENO : STDIN_FILENO, &about)) place = place_of(&about);
        return place;
    }
    if (stat(path, &about)) return errno == ENOENT ? free_place(path) : place;
    place = place_of(&about);
    if (place.kind == LM_PLACE_FILE && realpath(path, behind) && cut_name(behind, name) && !stat(behind, &about)) {
        place.folder_device = about.st_dev;
        place.folder_inode = about.st_ino;
    }
    return place;
}

bool lm_place_same(const lm_place *a, const lm_place *b)
{
    if (!a->kind || a->kind != b->kind || a->device != b->device || a->inode != b->inode) return false;
    return a->kind != LM_PLACE_FREE || !strcmp(a->name, b->name);
}

bool lm_place_inside(const lm_place *file, const lm_place *folder)
{
    return file->kind == LM_PLACE_FILE && folder->kind == LM_PLACE_FOLDER && file->folder_inode == folder->inode &&
           file->folder_device == folder->device;
}
