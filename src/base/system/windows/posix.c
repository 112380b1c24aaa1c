/* Files, text and libraries; posix.h says what they are for. POSIX has the contracts. */
#include "base/system/system.h"
#include "base/system/windows/dlfcn.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* ---- Failures -------------------------------------------------------------------------------- */

int lm_posix_fail(void)
{
    static const struct {
        DWORD error;
        int number;
    } ERRORS[] = {{ERROR_FILE_NOT_FOUND, ENOENT},      {ERROR_PATH_NOT_FOUND, ENOENT},
                  {ERROR_INVALID_NAME, ENOENT},        {ERROR_BAD_PATHNAME, ENOENT},
                  {ERROR_BAD_NETPATH, ENOENT},         {ERROR_INVALID_DRIVE, ENOENT},
                  {ERROR_ACCESS_DENIED, EACCES},       {ERROR_SHARING_VIOLATION, EACCES},
                  {ERROR_DELETE_PENDING, EACCES},      {ERROR_USER_MAPPED_FILE, EACCES},
                  {ERROR_WRITE_PROTECT, EROFS},        {ERROR_FILE_EXISTS, EEXIST},
                  {ERROR_ALREADY_EXISTS, EEXIST},      {ERROR_DISK_FULL, ENOSPC},
                  {ERROR_HANDLE_DISK_FULL, ENOSPC},    {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
                  {ERROR_IO_PENDING, EWOULDBLOCK},     {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                  {ERROR_COMMITMENT_LIMIT, ENOMEM},    {ERROR_INVALID_HANDLE, EBADF},
                  {ERROR_BROKEN_PIPE, EPIPE},          {ERROR_NO_DATA, EPIPE},
                  {ERROR_DIRECTORY, ENOTDIR},          {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
                  {ERROR_NOT_SAME_DEVICE, EXDEV},      {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
                  {ERROR_TOO_MANY_OPEN_FILES, EMFILE}, {ERROR_INVALID_FUNCTION, ENOSYS},
                  {ERROR_NOT_SUPPORTED, ENOSYS}};
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

/* ---- Text of Windows ------------------------------------------------------------------------- */

/* WIDE: units of a path. MOST: of one without the prefix for long paths, with space for the name of a file in a folder.
 * NAME: of the name of a variable. */
enum { WIDE = PATH_MAX, MOST = 247, NAME = 64 };

/* UTF-8 as Windows has it. Bytes that are no UTF-8, as in a name that was cut, become U+FFFD. */
static bool widen(const char *text, wchar_t *wide, int units)
{
    if (MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, units)) return true;
    SetLastError(ERROR_FILENAME_EXCED_RANGE);
    return false;
}

static bool narrow(const wchar_t *wide, char *text, int size)
{
    if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL)) return true;
    SetLastError(ERROR_FILENAME_EXCED_RANGE);
    return false;
}

/* A path as Windows has it: \\?\C:\... or \\?\UNC\server\... if it is too long otherwise. */
static bool path_from(const char *path, wchar_t wide[WIDE])
{
    wchar_t full[WIDE];
    if (!widen(strcmp(path, "/dev/null") ? path : "NUL", wide, WIDE)) return false;
    const DWORD length = GetFullPathNameW(wide, WIDE, full, NULL);
    const bool server = full[0] == '\\' && full[1] == '\\', prefixed = server && full[2] == '?';
    if (length <= MOST || prefixed) return length > 0;
    const int put = _snwprintf(wide, WIDE, L"\\\\?\\%ls%ls", server ? L"UNC" : L"", full + server);
    if (length < WIDE && put > 0 && put < WIDE) return true;
    SetLastError(ERROR_FILENAME_EXCED_RANGE);
    return false;
}

/* A path of Windows with / and without the prefix. */
static bool path_to(wchar_t *wide, char path[PATH_MAX])
{
    const bool server = !wcsncmp(wide, L"\\\\?\\UNC", 7), prefixed = !wcsncmp(wide, L"\\\\?\\", 4);
    wchar_t *from = server ? wide + 6 : prefixed ? wide + 4 : wide;
    if (server) *from = '/';
    for (wchar_t *p = from; *p; p++)
        if (*p == '\\') *p = '/';
    return narrow(from, path, PATH_MAX);
}

/* The path of an open file or folder. */
static bool path_of(HANDLE handle, char path[PATH_MAX])
{
    wchar_t wide[WIDE];
    const DWORD length = GetFinalPathNameByHandleW(handle, wide, WIDE, 0);
    if (length >= WIDE) SetLastError(ERROR_FILENAME_EXCED_RANGE);
    return length && length < WIDE && path_to(wide, path);
}

/* The last few values of a thread are kept; longer ones are those of the C library. */
char *lm_posix_getenv(const char *name)
{
    enum { VALUES = 4, SIZE = 1024 };
    static _Thread_local char value[VALUES][SIZE];
    static _Thread_local unsigned next;
    wchar_t wide[SIZE], key[NAME];
    if (!widen(name, key, NAME)) return NULL;
    SetLastError(ERROR_SUCCESS);
    const DWORD length = GetEnvironmentVariableW(key, wide, SIZE);
    if (!length && GetLastError() == ERROR_ENVVAR_NOT_FOUND) return NULL;
    char *to = value[next++ % VALUES];
    if (!length) *to = 0;
    return !length || (length < SIZE && narrow(wide, to, SIZE)) ? to : (getenv)(name);
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
    wchar_t wide[WIDE];
    if (!path_from(path, wide)) return lm_posix_fail();
    const HANDLE handle =
        CreateFileW(wide, access, shared, NULL, how, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE) return lm_posix_fail();
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
        return type == FILE_TYPE_UNKNOWN ? lm_posix_fail() : 0;
    }
    if (!GetFileInformationByHandle(handle, &found)) return lm_posix_fail();
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

/* Opens what is at the path for questions about it. */
static HANDLE handle_at(const char *path)
{
    const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    wchar_t wide[WIDE];
    if (!path_from(path, wide)) return INVALID_HANDLE_VALUE;
    return CreateFileW(wide, 0, shared, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

int lm_posix_stat_path(const char *path, struct lm_posix_stat *about)
{
    const HANDLE handle = handle_at(path);
    if (handle == INVALID_HANDLE_VALUE) return lm_posix_fail();
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
    wchar_t old[WIDE], new[WIDE];
    const bool paths = path_from(from, old) && path_from(to, new);
    return paths && MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING) ? 0 : lm_posix_fail();
}

int link(const char *from, const char *to)
{
    wchar_t old[WIDE], new[WIDE];
    return path_from(from, old) && path_from(to, new) && CreateHardLinkW(new, old, NULL) ? 0 : lm_posix_fail();
}

int lm_posix_unlink(const char *path)
{
    wchar_t wide[WIDE];
    return path_from(path, wide) && DeleteFileW(wide) ? 0 : lm_posix_fail();
}

int lm_posix_mkdir(const char *path, mode_t mode)
{
    wchar_t wide[WIDE];
    (void)mode; /* as fchmod() */
    return path_from(path, wide) && CreateDirectoryW(wide, NULL) ? 0 : lm_posix_fail();
}

int lm_posix_rmdir(const char *path)
{
    wchar_t wide[WIDE];
    return path_from(path, wide) && RemoveDirectoryW(wide) ? 0 : lm_posix_fail();
}

int lm_posix_remove(const char *path)
{
    struct lm_posix_stat about;
    if (lm_posix_stat_path(path, &about)) return -1;
    return S_ISDIR(about.st_mode) ? lm_posix_rmdir(path) : lm_posix_unlink(path);
}

/* Windows has no long paths here. */
int lm_posix_chdir(const char *path)
{
    wchar_t wide[WIDE];
    return widen(path, wide, WIDE) && SetCurrentDirectoryW(wide) ? 0 : lm_posix_fail();
}

int fchmod(int file, mode_t mode)
{
    (void)mode; /* the folder says who may read a new file */
    return handle_of(file) == INVALID_HANDLE_VALUE ? -1 : 0;
}

int fchdir(int folder)
{
    char path[PATH_MAX];
    return path_of(handle_of(folder), path) ? lm_posix_chdir(path) : lm_posix_fail();
}

int unlinkat(int folder, const char *name, int flags)
{
    char path[PATH_MAX], file[PATH_MAX + NAME_MAX + 2];
    (void)flags;
    if (!path_of(handle_of(folder), path)) return lm_posix_fail();
    snprintf(file, sizeof file, "%s/%s", path, name);
    return lm_posix_unlink(file);
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
        if (!lm_posix_mkdir(pattern, 0700)) return pattern;
        if (errno != EEXIST) break;
    }
    return NULL;
}

char *realpath(const char *path, char *resolved)
{
    wchar_t wide[WIDE], full[WIDE];
    const HANDLE handle = handle_at(path);
    bool found = handle != INVALID_HANDLE_VALUE;
    if (found &&
        !path_of(handle,
                 resolved)) { /* some volumes cannot say it, and wine none of a long path: no link is followed */
        const DWORD length = widen(path, wide, WIDE) ? GetFullPathNameW(wide, WIDE, full, NULL) : 0;
        found = length && length < WIDE && path_to(full, resolved);
    }
    if (!found) (void)lm_posix_fail();
    const int error = errno;
    if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
    errno = error;
    return found ? resolved : NULL;
}

ssize_t readlink(const char *path, char *target, size_t size)
{
    (void)path, (void)target, (void)size;
    errno = EINVAL;
    return -1;
}

/* ---- Folders --------------------------------------------------------------------------------- */

struct lm_posix_folder {
    HANDLE handle;
    bool first; /* the first name is found, and was not given yet */
    WIN32_FIND_DATAW found;
    struct lm_posix_entry entry;
};

struct lm_posix_folder *lm_posix_opendir(const char *path)
{
    char all[PATH_MAX];
    wchar_t wide[WIDE];
    struct lm_posix_folder *folder = malloc(sizeof *folder);
    if (!folder) return NULL;
    const int length = snprintf(all, sizeof all, "%s/*", path);
    const bool fits = length < PATH_MAX && path_from(all, wide);
    folder->handle = fits ? FindFirstFileW(wide, &folder->found) : INVALID_HANDLE_VALUE;
    folder->first = true;
    if (folder->handle != INVALID_HANDLE_VALUE) return folder;
    if (length >= PATH_MAX) SetLastError(ERROR_FILENAME_EXCED_RANGE);
    (void)lm_posix_fail();
    const int error = errno;
    free(folder);
    errno = error;
    return NULL;
}

struct lm_posix_entry *lm_posix_readdir(struct lm_posix_folder *folder)
{
    const bool found = folder->first || FindNextFileW(folder->handle, &folder->found);
    folder->first = false;
    if (!found && GetLastError() == ERROR_NO_MORE_FILES) return NULL;
    if (found && narrow(folder->found.cFileName, folder->entry.d_name, sizeof folder->entry.d_name))
        return &folder->entry;
    (void)lm_posix_fail();
    return NULL;
}

int lm_posix_closedir(struct lm_posix_folder *folder)
{
    FindClose(folder->handle);
    free(folder);
    return 0;
}

/* A folder comes after what is in it. */
int lm_posix_nftw(const char *path, lm_posix_visit *visit, int files, int flags)
{
    struct lm_posix_stat about;
    struct FTW where = {0};
    struct lm_posix_folder *folder = NULL;
    int result = 0;
    if (lm_posix_stat_path(path, &about)) return -1;
    if (S_ISDIR(about.st_mode)) folder = lm_posix_opendir(path);
    for (const struct lm_posix_entry *entry; folder && !result && (entry = lm_posix_readdir(folder));) {
        char inside[PATH_MAX];
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        const int length = snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        result = length < PATH_MAX ? lm_posix_nftw(inside, visit, files, flags) : -1;
    }
    if (folder) lm_posix_closedir(folder);
    return result ? result : visit(path, &about, S_ISDIR(about.st_mode) ? FTW_DP : FTW_F, &where);
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
    const ssize_t result = read_all ? (ssize_t)got : GetLastError() == ERROR_HANDLE_EOF ? 0 : lm_posix_fail();
    if (before >= 0) lseek(file, before, SEEK_SET);
    return result;
}

ssize_t pwrite(int file, const void *from, size_t size, off_t place)
{
    OVERLAPPED where = at(place);
    DWORD put = 0;
    const off_t before = lseek(file, 0, SEEK_CUR);
    const ssize_t result =
        WriteFile(handle_of(file), from, part_of(size), &put, &where) ? (ssize_t)put : lm_posix_fail();
    if (before >= 0) lseek(file, before, SEEK_SET);
    return result;
}

/* Locks a byte behind every content: Windows keeps others from reading and writing what is locked. */
int flock(int file, int operation)
{
    OVERLAPPED where = at((off_t)1 << 62);
    const DWORD how = LOCKFILE_EXCLUSIVE_LOCK | (operation & LOCK_NB ? LOCKFILE_FAIL_IMMEDIATELY : 0);
    return LockFileEx(handle_of(file), how, 0, 1, 0, &where) ? 0 : lm_posix_fail();
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
    const char *from = bytes;
    if (!length) return (void *)(uintptr_t)from;
    if (length > size) return NULL;
    for (const char *last = from + size - length; from <= last; from++) {
        from = memchr(from, *(const char *)wanted, (size_t)(last - from) + 1);
        if (!from) return NULL;
        if (!memcmp(from, wanted, length)) return (void *)(uintptr_t)from;
    }
    return NULL;
}

int setenv(const char *name, const char *value, int replace)
{
    wchar_t key[NAME], wide[WIDE];
    if (getenv(name) && !replace) return 0;
    return widen(name, key, NAME) && widen(value, wide, WIDE) && !_wputenv_s(key, wide) ? 0 : lm_posix_fail();
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
    /* A name without a folder is not looked for in the current one, where data of others may be. */
    const DWORD where = strpbrk(path, "/\\") ? 0 : LOAD_LIBRARY_SEARCH_DEFAULT_DIRS;
    wchar_t wide[WIDE];
    (void)flags;
    void *library = widen(path, wide, WIDE) ? (void *)LoadLibraryExW(wide, NULL, where) : NULL;
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
