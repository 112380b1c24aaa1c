/* The functions of POSIX that the library uses and mingw-w64 lacks or has in part, for Windows. CMakeLists.txt includes this file
 * before every source file; posix.c defines the functions. Files are opened as bytes and may be removed and renamed while they
 * are open. Paths and values of the environment are UTF-8; there are / or \ between folders, and a path may be longer than the
 * 260 units that older programs have. */
#ifndef LM_POSIX_H
#define LM_POSIX_H
#pragma GCC system_header /* locals may be called `read`, as they may where <unistd.h> declares it */

#include <direct.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <io.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* ---- Files ----------------------------------------------------------------------------------- */

#define O_CLOEXEC _O_NOINHERIT
#define O_NOFOLLOW 0
#define O_DIRECTORY 0
#define S_ISLNK(mode) ((void)(mode), 0)
#define S_ISSOCK(mode) ((void)(mode), 0)
#define PIPE_BUF 4096
#undef PATH_MAX
#define PATH_MAX 4096
#undef NAME_MAX
#define NAME_MAX 765 /* 255 units, each at most three bytes of UTF-8 */

/* A file is the same as another if both numbers are. The structure of mingw-w64 has 16 bits for st_ino. */
typedef struct lm_posix_stat {
    uint64_t st_dev, st_ino;
    off_t st_size;
    mode_t st_mode;
} lm_posix_stat;
int lm_posix_stat_path(const char *path, struct lm_posix_stat *about);
int lm_posix_stat_file(int file, struct lm_posix_stat *about);
int lm_posix_open(const char *path, int flags, ...);
int lm_posix_rename(const char *from, const char *to);
int lm_posix_access(const char *path, int mode);
ssize_t lm_posix_read(int file, void *to, size_t size);
ssize_t lm_posix_write(int file, const void *bytes, size_t size);
int lm_posix_unlink(const char *path);
int lm_posix_remove(const char *path);
int lm_posix_mkdir(const char *path, mode_t mode);
int lm_posix_rmdir(const char *path);
int lm_posix_chdir(const char *path);
int link(const char *from, const char *to);
int fchmod(int file, mode_t mode);
int fchdir(int folder);
int unlinkat(int folder, const char *name, int flags);
char *mkdtemp(char *pattern);
char *realpath(const char *path, char *resolved);
ssize_t readlink(const char *path, char *target, size_t size);
ssize_t pread(int file, void *to, size_t size, off_t place);
ssize_t pwrite(int file, const void *from, size_t size, off_t place);

struct lm_posix_entry {
    char d_name[NAME_MAX + 1];
};
struct lm_posix_folder *lm_posix_opendir(const char *path);
struct lm_posix_entry *lm_posix_readdir(struct lm_posix_folder *folder);
int lm_posix_closedir(struct lm_posix_folder *folder);
typedef int lm_posix_visit(const char *path, const struct lm_posix_stat *about, int kind, struct FTW *where);
int lm_posix_nftw(const char *path, lm_posix_visit *visit, int files, int flags);

#undef stat
#undef fstat
#undef dev_t
#undef ino_t
#define lm_posix_stat(path, about) lm_posix_stat_path(path, about)
#define stat lm_posix_stat
#define lstat(path, about) lm_posix_stat_path(path, about)
#define fstat(file, about) lm_posix_stat_file(file, about)
#define dev_t uint64_t
#define ino_t uint64_t
#define open lm_posix_open
#define rename lm_posix_rename
#define access lm_posix_access
#define read lm_posix_read
#define write lm_posix_write
#define unlink lm_posix_unlink
#define remove lm_posix_remove
#define mkdir lm_posix_mkdir
#define rmdir lm_posix_rmdir
#define chdir lm_posix_chdir
#define dirent lm_posix_entry
#define DIR struct lm_posix_folder
#define opendir lm_posix_opendir
#define readdir lm_posix_readdir
#define closedir lm_posix_closedir
#define nftw lm_posix_nftw

/* Sets errno from the last error of Windows. Returns -1. */
int lm_posix_fail(void);

/* Locks of whole files, which do not prevent others from reading and writing. */
enum { LOCK_EX = 1, LOCK_NB = 2 };
int flock(int file, int operation);

/* ---- Numbers --------------------------------------------------------------------------------- */

/* The macros of mingw-w64 convert a double to float in a branch that is not taken, which the compiler warns of. */
#undef isfinite
#undef isinf
#undef isnan
#undef signbit
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)
#define signbit(x) __builtin_signbit(x)
double lgamma_r(double x, int *sign); /* x > 0 */

/* ---- Text ------------------------------------------------------------------------------------ */

typedef struct lm_posix_locale *locale_t;
enum { LC_ALL_MASK = 1 };
/* There is one locale, "C"; uselocale() changes the decimal point of the calling thread alone. */
locale_t newlocale(int categories, const char *name, locale_t base);
locale_t uselocale(locale_t locale);
void freelocale(locale_t locale);
double strtod_l(const char *text, char **end, locale_t locale);
char *stpcpy(char *to, const char *text);
char *strndup(const char *text, size_t size);
void *memmem(const void *bytes, size_t size, const void *wanted, size_t length);
char *lm_posix_getenv(const char *name);
#define getenv(name) lm_posix_getenv(name)
int setenv(const char *name, const char *value, int replace);

#endif
