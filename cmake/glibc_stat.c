/*
 * stat(), fstat() and lstat() for a glibc before 2.33, which has them as __xstat() and so on and calls those from its headers.
 * A library that is compiled here and shall run there (LEMAN_GLIBC, glibc.cmake) brings them along.
 */
#include <sys/stat.h>

#ifdef __x86_64__
enum { LAYOUT = 1 };
#else
enum { LAYOUT = 0 };
#endif

int __xstat(int layout, const char *path, struct stat *info);
int __fxstat(int layout, int file, struct stat *info);
int __lxstat(int layout, const char *path, struct stat *info);

int stat(const char *restrict path, struct stat *restrict info)
{
    return __xstat(LAYOUT, path, info);
}

int fstat(int file, struct stat *info)
{
    return __fxstat(LAYOUT, file, info);
}

int lstat(const char *restrict path, struct stat *restrict info)
{
    return __lxstat(LAYOUT, path, info);
}
