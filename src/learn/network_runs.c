/* Finished runs of the tables of networks as a file: network_runs.h. */
#include "learn/network_runs.h"
#include "base/hash.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HEAD[] = "leman runs 1\n";
static const uint64_t MAX_BYTES = UINT64_C(1) << 30;
enum { FIELDS = 14, LINE = 1024, HEX = 16 };

/* ---- A line ---------------------------------------------------------------------------------- */

static size_t write_line(const lm_network_run *r, char text[LINE])
{
    const leman_network_table_shape *shape = leman_network_table_describe(r->table);
    const int used =
        lm_snprintf(text, LINE, "%s\t%s\t%s\t%llu\t%s\t%llu\t%llu\t%016llx\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%llu",
                    leman_network_table_name(r->table), shape->set[r->column], shape->method[r->row],
                    (unsigned long long)r->run, leman_version(), (unsigned long long)r->seed,
                    (unsigned long long)r->limit, (unsigned long long)r->data_checksum, r->value[0], r->value[1],
                    r->validation, r->epochs, r->seconds, (unsigned long long)r->parameters);
    return (size_t)used;
}

/* Which of the names it is. */
static bool which(const char *text, const char *const *name, size_t count, size_t *out)
{
    for (*out = 0; *out < count; ++*out)
        if (!strcmp(name[*out], text)) return true;
    return false;
}

static bool count_of(const char *text, int base, uint64_t *value)
{
    char *end;
    if (!*text || strspn(text, base == 16 ? "0123456789abcdef" : "0123456789") != strlen(text)) return false;
    errno = 0;
    *value = strtoull(text, &end, base);
    return !errno;
}

static bool real_of(const char *text, double *value)
{
    char *end;
    *value = lm_strtod(text, &end);
    return *text && !*end;
}

/* The fields of a line that is whole; text is cut at its tabs. */
static bool read_fields(char *field[FIELDS], lm_network_run *r)
{
    int table = 0;
    while (table < LEMAN_NETWORK_TABLE_COUNT &&
           strcmp(field[0], leman_network_table_name((leman_network_table)table)) != 0)
        table++;
    if (table == LEMAN_NETWORK_TABLE_COUNT) return false;
    r->table = (leman_network_table)table;
    const leman_network_table_shape *shape = leman_network_table_describe(r->table);
    return which(field[1], shape->set, shape->columns, &r->column) &&
           which(field[2], shape->method, shape->rows, &r->row) && count_of(field[3], 10, &r->run) &&
           count_of(field[5], 10, &r->seed) && count_of(field[6], 10, &r->limit) &&
           count_of(field[7], 16, &r->data_checksum) && real_of(field[8], r->value) &&
           real_of(field[9], r->value + 1) && real_of(field[10], &r->validation) && real_of(field[11], &r->epochs) &&
           real_of(field[12], &r->seconds) && count_of(field[13], 10, &r->parameters);
}

static bool read_line(const char *line, size_t length, lm_network_run *r)
{
    char text[LINE + HEX + 2], *field[FIELDS];
    uint64_t sum;
    *r = (lm_network_run){0};
    if (length < HEX + 1 || length > LINE + HEX + 1 || memchr(line, 0, length)) return false;
    memcpy(text, line, length);
    text[length] = 0;
    const size_t end = length - HEX - 1;
    if (text[end] != '\t' || !count_of(text + end + 1, 16, &sum) || sum != lm_checksum(text, end, 0)) return false;
    text[end] = 0;
    char *at = text;
    for (int i = 0; i < FIELDS; i++) {
        field[i] = at;
        at = strchr(at, '\t');
        if (!at != (i == FIELDS - 1)) return false;
        if (at) *at++ = 0;
    }
    return read_fields(field, r);
}

/* ---- The file -------------------------------------------------------------------------------- */

leman_status lm_network_runs_parse(leman_context *ctx, const char *path, lm_bytes bytes, lm_vector *list)
{
    leman_status st = LEMAN_OK;
    const char *at = (const char *)bytes.data, *end = at + bytes.size;
    size_t number = 1;
    if (!bytes.size) goto done;
    if (bytes.size < sizeof HEAD - 1 || memcmp(at, HEAD, sizeof HEAD - 1) != 0)
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s:1: found another kind of file, expected finished runs: 'leman runs 1'", path);
    for (at += sizeof HEAD - 1; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop ? stop : end) - at);
        lm_network_run run;
        number++;
        /* heads of files that were joined are no runs */
        const bool head = length == sizeof HEAD - 2 && !memcmp(at, HEAD, length);
        if (length && !head && !read_line(at, length, &run))
            lm_log(ctx, "%s:%zu: left out a line that is cut off or damaged", path, number);
        else if (length && !head)
            TRY(lm_vector_append(ctx, list, &run, 1, sizeof run));
        at = stop ? stop + 1 : end;
    }
done:
    return st;
}

leman_status lm_network_runs_read(leman_context *ctx, const char *path, bool optional, lm_vector *list)
{
    leman_status st = LEMAN_OK;
    lm_bytes bytes = {0};
    if (optional && access(path, F_OK)) goto done;
    TRY(lm_bytes_open(ctx, path, MAX_BYTES, &bytes));
    TRY(lm_network_runs_parse(ctx, path, bytes, list));
done:
    lm_bytes_close(ctx, &bytes);
    return st;
}

/* The text behind the last line, which gets its end where it was cut off. */
static leman_status append(leman_context *ctx, const char *path, int file, const char *text, size_t size)
{
    leman_status st = LEMAN_OK;
    while (size) {
        const ssize_t written = write(file, text, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) TRY(lm_fail_errno(ctx, errno, "%s: cannot be written", path));
        text += written;
        size -= (size_t)written;
    }
done:
    return st;
}

leman_status lm_network_runs_add(leman_context *ctx, const char *path, const lm_network_run *run)
{
    leman_status st = LEMAN_OK;
    char text[LINE + HEX + 3], last = '\n';
    const int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return lm_fail_errno(ctx, errno, "%s: cannot be opened for writing", path);
    const off_t size = lseek(file, 0, SEEK_END);
    if (!size) TRY(append(ctx, path, file, HEAD, sizeof HEAD - 1));
    if (size > 0 && pread(file, &last, 1, size - 1) == 1 && last != '\n') TRY(append(ctx, path, file, "\n", 1));
    const size_t used = write_line(run, text);
    snprintf(text + used, sizeof text - used, "\t%016llx\n", (unsigned long long)lm_checksum(text, used, 0));
    TRY(append(ctx, path, file, text, used + HEX + 2));
done:
    close(file);
    return st;
}
