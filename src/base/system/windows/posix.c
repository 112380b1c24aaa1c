/* Files, text and libraries; posix.h says what they are for. POSIX has the contracts. */
#include "base/system/system.h"
#include "base/system/windows/dlfcn.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* ---- Failures -------------------------------------------------------------------------------- */

/* Sets errno from the last error of Windows. Returns -1. */
static int fail(void)
{
    static const struct {
        DWORD error;
        int number;
    } ERRORS[] = {{ERROR_FILE_NOT_FOUND, ENOENT},      {ERROR_PATH_NOT_FOUND, ENOENT},
                  {ERROR_INVALID_NAME, ENOENT},        {ERROR_BAD_NETPATH, ENOENT},
                  {ERROR_ACCESS_DENIED, EACCES},       {ERROR_SHARING_VIOLATION, EACCES},
                  {ERROR_WRITE_PROTECT, EROFS},        {ERROR_FILE_EXISTS, EEXIST},
                  {ERROR_ALREADY_EXISTS, EEXIST},      {ERROR_DISK_FULL, ENOSPC},
                  {ERROR_LOCK_VIOLATION, EWOULDBLOCK}, {ERROR_IO_PENDING, EWOULDBLOCK},
                  {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},   {ERROR_INVALID_HANDLE, EBADF},
                  {ERROR_BROKEN_PIPE, EPIPE},          {ERROR_NO_DATA, EPIPE},
                  {ERROR_DIRECTORY, ENOTDIR},          {ERROR_NOT_SAME_DEVICE, EXDEV}};
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
        if (ERRORS[i].error == error) errno = ERRORS[i].number;
    return -1;
}

static HANDLE handle_of(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Folders can be opened for reading. */
int lm_posix_open(const char *path, int flags, ...)
{
    const bool creates = flags & O_CREAT, fresh = flags & O_EXCL, cuts = flags & O_TRUNC;
    const DWORD access = flags & O_RDWR     ? GENERIC_READ | GENERIC_WRITE
                         : flags & O_WRONLY ? GENERIC_WRITE
                                            : GENERIC_READ;
    const DWORD how = creates && fresh ? CREATE_NEW
                      : creates        ? cuts ? CREATE_ALWAYS : OPEN_ALWAYS
                      : cuts           ? TRUNCATE_EXISTING
                                       : OPEN_EXISTING;
    const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    if (!strcmp(path, "/dev/null")) path = "NUL";
    const HANDLE handle =
        CreateFileA(path, access, shared, NULL, how, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE) return fail();
    const int file = _open_osfhandle((intptr_t)handle, (flags & _O_APPEND) | _O_BINARY | _O_NOINHERIT);
    if (file < 0) CloseHandle(handle);
    return file;
}

/* ---- What a file is -------------------------------------------------------------------------- */

static int describe(HANDLE handle, struct lm_posix_stat *about)
{
    BY_HANDLE_FILE_INFORMATION found;
    *about = (struct lm_posix_stat){.st_ino = (uint64_t)(uintptr_t)handle};
    const DWORD type = GetFileType(handle);
    if (type != FILE_TYPE_DISK) {
        about->st_mode = (type == FILE_TYPE_PIPE ? S_IFIFO : S_IFCHR) | 0666;
        return type == FILE_TYPE_UNKNOWN ? fail() : 0;
    }
    if (!GetFileInformationByHandle(handle, &found)) return fail();
    const bool folder = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    const bool fixed = found.dwFileAttributes & FILE_ATTRIBUTE_READONLY;
    about->st_dev = found.dwVolumeSerialNumber;
    about->st_ino = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    about->st_size = (off_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow);
    about->st_mode = (mode_t)(folder ? S_IFDIR | 0777 : fixed ? S_IFREG | 0444 : S_IFREG | 0666);
    return 0;
}

int lm_posix_stat_file(int file, struct lm_posix_stat *about)
{
    return describe(handle_of(file), about);
}

int lm_posix_stat_path(const char *path, struct lm_posix_stat *about)
{
    const HANDLE handle =
        CreateFileA(strcmp(path, "/dev/null") ? path : "NUL", 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE) return fail();
    const int result = describe(handle, about);
    const int error = errno;
    CloseHandle(handle);
    errno = error;
    return result;
}

int lm_posix_access(const char *path, int mode)
{
    struct lm_posix_stat about;
    if (lm_posix_stat_path(path, &about)) return -1;
    if (!(mode & W_OK) || about.st_mode & 0222) return 0;
    errno = EACCES;
    return -1;
}

/* ---- Names ----------------------------------------------------------------------------------- */

int lm_posix_rename(const char *from, const char *to)
{
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) ? 0 : fail();
}

int link(const char *from, const char *to)
{
    return CreateHardLinkA(to, from, NULL) ? 0 : fail();
}

int fchmod(int file, mode_t mode)
{
    (void)mode; /* the folder says who may read a new file */
    return handle_of(file) == INVALID_HANDLE_VALUE ? -1 : 0;
}

/* The path of an open folder. Returns false, with errno, if there is none. */
static bool path_of(int folder, char path[PATH_MAX])
{
    const DWORD length = GetFinalPathNameByHandleA(handle_of(folder), path, PATH_MAX, 0);
    if (length && length < PATH_MAX) return true;
    if (length) SetLastError(ERROR_INVALID_NAME);
    (void)fail();
    return false;
}

int fchdir(int folder)
{
    char path[PATH_MAX];
    return path_of(folder, path) && SetCurrentDirectoryA(path) ? 0 : fail();
}

int unlinkat(int folder, const char *name, int flags)
{
    char path[PATH_MAX], file[2 * PATH_MAX];
    (void)flags;
    if (!path_of(folder, path)) return -1;
    snprintf(file, sizeof file, "%s\\%s", path, name); /* the path begins with \\?\, after which / is no separator */
    return unlink(file);
}

/* _mktemp() of Windows knows 26 names. */
char *mkdtemp(char *pattern)
{
    enum { TRIES = 100, MARKS = 6 };
    char *mark = pattern + strlen(pattern) - MARKS;
    for (int try = 0; try < TRIES; try++) {
        unsigned char bytes[MARKS] = {0};
        (void)lm_system_random(bytes, sizeof bytes);
        for (size_t i = 0; i < MARKS; i++) mark[i] = "abcdefghijklmnopqrstuvwxyz012345"[bytes[i] % 32];
        if (!_mkdir(pattern)) return pattern;
        if (errno != EEXIST) break;
    }
    return NULL;
}

/* Links are not followed. */
char *realpath(const char *path, char *resolved)
{
    if (!_fullpath(resolved, path, PATH_MAX)) return NULL;
    for (char *p = resolved; *p; p++)
        if (*p == '\\') *p = '/';
    return resolved;
}

ssize_t readlink(const char *path, char *target, size_t size)
{
    (void)path, (void)target, (void)size;
    errno = EINVAL;
    return -1;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static DWORD part_of(size_t size)
{
    return size < INT_MAX ? (DWORD)size : INT_MAX;
}

ssize_t lm_posix_read(int file, void *to, size_t size)
{
    return _read(file, to, part_of(size));
}

/* A pipe without a reader gives EPIPE, as elsewhere; the C library says EINVAL. */
ssize_t lm_posix_write(int file, const void *bytes, size_t size)
{
    const int put = _write(file, bytes, part_of(size));
    if (put < 0 && errno == EINVAL && GetFileType(handle_of(file)) == FILE_TYPE_PIPE) errno = EPIPE;
    return put;
}

static OVERLAPPED at(off_t place)
{
    return (OVERLAPPED){.Offset = (DWORD)place, .OffsetHigh = (DWORD)((uint64_t)place >> 32)};
}

/* Windows moves the place of the file, and it is moved back: nobody may read or write at that place meanwhile. */
ssize_t pread(int file, void *to, size_t size, off_t place)
{
    OVERLAPPED where = at(place);
    DWORD got = 0;
    const off_t before = lseek(file, 0, SEEK_CUR);
    const bool read_all = ReadFile(handle_of(file), to, part_of(size), &got, &where);
    const ssize_t result = read_all ? (ssize_t)got : GetLastError() == ERROR_HANDLE_EOF ? 0 : fail();
    if (before >= 0) lseek(file, before, SEEK_SET);
    return result;
}

ssize_t pwrite(int file, const void *from, size_t size, off_t place)
{
    OVERLAPPED where = at(place);
    DWORD put = 0;
    const off_t before = lseek(file, 0, SEEK_CUR);
    const ssize_t result = WriteFile(handle_of(file), from, part_of(size), &put, &where) ? (ssize_t)put : fail();
    if (before >= 0) lseek(file, before, SEEK_SET);
    return result;
}

/* Locks a byte behind every content: Windows keeps others from reading and writing what is locked. */
int flock(int file, int operation)
{
    OVERLAPPED where = at((off_t)1 << 62);
    const DWORD how = LOCKFILE_EXCLUSIVE_LOCK | (operation & LOCK_NB ? LOCKFILE_FAIL_IMMEDIATELY : 0);
    return LockFileEx(handle_of(file), how, 0, 1, 0, &where) ? 0 : fail();
}

/* ---- Text ------------------------------------------------------------------------------------ */

char *stpcpy(char *to, const char *text)
{
    const size_t length = strlen(text);
    memcpy(to, text, length + 1);
    return to + length;
}

char *strndup(const char *text, size_t size)
{
    const size_t length = strnlen(text, size);
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

void *memmem(const void *bytes, size_t size, const void *wanted, size_t length)
{
    const char *from = bytes, *last = from + size - length;
    if (!length) return (void *)(uintptr_t)from;
    for (; length <= size && from <= last; from++) {
        from = memchr(from, *(const char *)wanted, (size_t)(last - from) + 1);
        if (!from) return NULL;
        if (!memcmp(from, wanted, length)) return (void *)(uintptr_t)from;
    }
    return NULL;
}

int setenv(const char *name, const char *value, int replace)
{
    return getenv(name) && !replace ? 0 : _putenv_s(name, value);
}

/* The locale that a thread leaves is kept here: its decimal point alone can matter. */
static _Thread_local char kept[64];
static struct lm_posix_locale {
    char unused;
} c_locale, host_locale;

locale_t newlocale(int categories, const char *name, locale_t base)
{
    (void)categories, (void)name, (void)base;
    return &c_locale;
}

void freelocale(locale_t locale)
{
    (void)locale;
}

locale_t uselocale(locale_t locale)
{
    if (locale == &host_locale) {
        setlocale(LC_NUMERIC, kept);
        return &c_locale;
    }
    if (!strcmp(localeconv()->decimal_point, ".")) return &c_locale;
    (void)_configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    snprintf(kept, sizeof kept, "%s", setlocale(LC_NUMERIC, NULL));
    setlocale(LC_NUMERIC, "C");
    return &host_locale;
}

double strtod_l(const char *text, char **end, locale_t locale)
{
    const locale_t before = uselocale(locale);
    const double value = strtod(text, end);
    uselocale(before);
    return value;
}

double lgamma_r(double x, int *sign)
{
    *sign = 1;
    return lgamma(x);
}

/* ---- Libraries ------------------------------------------------------------------------------- */

static _Thread_local char failure[64];

void *dlopen(const char *path, int flags)
{
    (void)flags;
    void *library = (void *)LoadLibraryA(path);
    if (!library) snprintf(failure, sizeof failure, "error %lu of Windows", GetLastError());
    return library;
}

void *dlsym(void *library, const char *name)
{
    void *symbol = NULL;
    const FARPROC found = GetProcAddress(library, name);
    memcpy(&symbol, &found, sizeof symbol);
    if (!found) snprintf(failure, sizeof failure, "it has no %s", name);
    return symbol;
}

int dlclose(void *library)
{
    return FreeLibrary(library) ? 0 : -1;
}

char *dlerror(void)
{
    return *failure ? failure : NULL;
}
