/* Finished cells as a file: see cells.h. */
#include "learn/cells.h"
#include "base/hash.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char HEAD[] = "leman cells 1\n";
static const uint64_t MAX_BYTES = UINT64_C(1) << 30;
/* The words of the file; what has none is not kept. */
static const char *const QUANTITIES[LEMAN_PAPER_QUANTITY_COUNT] = {
    [LEMAN_PAPER_QUANTITY_TEST] = "accuracy", [LEMAN_PAPER_QUANTITY_SECONDS] = "seconds"};
static const char *const STATES[LEMAN_CELL_STATE_COUNT] = {[LEMAN_CELL_STATE_EMPTY] = "open",
                                                           [LEMAN_CELL_STATE_NUMBER] = "done",
                                                           [LEMAN_CELL_STATE_MEMORY] = "memory",
                                                           [LEMAN_CELL_STATE_TIME] = "time"};

enum { NUMBERS = 8, FIELDS = 18, LINE = 2048, HEX = 16 };

/* The numbers of a cell in the order of the file. */
static void numbers_of(leman_cell *cell, double *out[NUMBERS])
{
    double *all[NUMBERS] = {&cell->memory,         &cell->time_limit, &cell->test_mean,        &cell->test_std,
                            &cell->test_std_folds, &cell->train_mean, &cell->seconds_features, &cell->seconds_svm};
    memcpy(out, all, sizeof all);
}

/* ---- A line ---------------------------------------------------------------------------------- */

/* The line of a cell without its end, in text[LINE]; its length. */
static size_t write_line(const leman_cell *cell, char *text)
{
    leman_cell copy = *cell;
    double *number[NUMBERS];
    numbers_of(&copy, number);
    int used = snprintf(text, LINE, "%s\t%s\t%s\t%s\t%s\t%llu\t%llu\t%016llx", QUANTITIES[cell->quantity],
                        leman_paper_set_name(cell->set), leman_paper_method_name(cell->method), STATES[cell->state],
                        leman_version(), (unsigned long long)cell->repetitions, (unsigned long long)cell->seed,
                        (unsigned long long)cell->data_checksum);
    for (int i = 0; i < NUMBERS; i++) used += lm_snprintf(text + used, (size_t)(LINE - used), "\t%.17g", *number[i]);
    for (char *at = copy.note; *at; at++)
        if (*at == '\t' || *at == '\n' || *at == '\r') *at = ' ';
    used += snprintf(text + used, (size_t)(LINE - used), "\t%s", copy.note);
    return (size_t)used;
}

static bool hex_of(const char *text, size_t length, uint64_t *value)
{
    *value = 0;
    if (length != HEX) return false;
    for (size_t i = 0; i < HEX; i++) {
        static const char DIGITS[] = "0123456789abcdef";
        const char *digit = text[i] ? strchr(DIGITS, text[i]) : NULL;
        if (!digit) return false;
        *value = *value << 4 | (uint64_t)(digit - DIGITS);
    }
    return true;
}

typedef struct field {
    const char *text;
    size_t length;
} field;

static bool is(field f, const char *word)
{
    return strlen(word) == f.length && !memcmp(f.text, word, f.length);
}

/* Which of the names 0 .. count-1 it is. */
static bool which(field f, const char *(*name)(unsigned), unsigned count, unsigned *out)
{
    for (*out = 0; *out < count; ++*out)
        if (name(*out) && is(f, name(*out))) return true;
    return false;
}

static const char *quantity_name(unsigned i)
{
    return QUANTITIES[i];
}

static const char *state_name(unsigned i)
{
    return STATES[i];
}

static const char *set_name(unsigned i)
{
    return leman_paper_set_name((leman_paper_set)i);
}

static const char *method_name(unsigned i)
{
    return leman_paper_method_name((leman_paper_method)i);
}

/* Decimal digits only, so that a line has one reading. */
static bool count_of(field f, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < f.length; i++) {
        uint64_t digit = (uint64_t)(f.text[i] - '0');
        if (f.text[i] < '0' || f.text[i] > '9' || __builtin_mul_overflow(*value, (uint64_t)10, value) ||
            __builtin_add_overflow(*value, digit, value))
            return false;
    }
    return f.length > 0;
}

/* Is the line whole, undamaged, and a cell? *current: it was written by this version. */
static bool read_line(leman_context *ctx, const char *line, size_t length, leman_cell *cell, bool *current)
{
    field f[FIELDS];
    double *number[NUMBERS];
    unsigned word[4];
    uint64_t sum;
    size_t fields = 0;
    *cell = (leman_cell){0};
    for (const char *at = line, *end = line + length; fields < FIELDS; fields++) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        f[fields] = (field){at, (size_t)((tab ? tab : end) - at)};
        if (!tab) break;
        at = tab + 1;
    }
    if (fields != FIELDS - 1 || !hex_of(f[17].text, f[17].length, &sum) ||
        sum != lm_checksum(line, (size_t)(f[17].text - 1 - line), 0))
        return false;
    if (!which(f[0], quantity_name, LEMAN_PAPER_QUANTITY_COUNT, word) ||
        !which(f[1], set_name, LEMAN_PAPER_SET_COUNT, word + 1) ||
        !which(f[2], method_name, LEMAN_PAPER_METHOD_COUNT, word + 2) ||
        !which(f[3], state_name, LEMAN_CELL_STATE_COUNT, word + 3) || !count_of(f[5], &cell->repetitions) ||
        !count_of(f[6], &cell->seed) || !hex_of(f[7].text, f[7].length, &cell->data_checksum) ||
        f[16].length >= sizeof cell->note || memchr(f[16].text, 0, f[16].length))
        return false;
    numbers_of(cell, number);
    for (int i = 0; i < NUMBERS; i++)
        if (!lm_text_is_real(ctx, f[8 + i].text, f[8 + i].length, number[i])) return false;
    cell->quantity = (leman_paper_quantity)word[0];
    cell->set = (leman_paper_set)word[1];
    cell->method = (leman_paper_method)word[2];
    cell->state = (leman_cell_state)word[3];
    memcpy(cell->note, f[16].text, f[16].length);
    *current = is(f[4], leman_version());
    return true;
}

/* ---- The file -------------------------------------------------------------------------------- */

leman_status lm_cells_parse(leman_context *ctx, const char *path, lm_bytes bytes, lm_cells *cells)
{
    leman_status st = LEMAN_OK;
    size_t head = sizeof HEAD - 1, number = 1;
    const char *at = bytes.data, *end;
    if (!bytes.size) goto done; /* as a run leaves it that died before its first line */
    end = at + bytes.size;
    if (bytes.size < head || memcmp(at, HEAD, head))
        FAIL(ctx, LEMAN_ERROR_INPUT, "%s:1: found something else, expected '%.*s', a file of finished cells", path,
             (int)head - 1, HEAD);
    for (at += head; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        bool current = true;
        leman_cell cell;
        number++;
        if (length && !read_line(ctx, at, length, &cell, &current))
            lm_log(ctx, "%s:%zu: left out a line that is cut off or damaged", path, number);
        else if (length && current)
            TRY(lm_vector_append(ctx, &cells->cell, &cell, 1, sizeof cell));
        at = stop ? stop + 1 : end;
    }
done:
    return st;
}

static leman_status add_bytes(leman_context *ctx, const char *path, lm_cells *cells, const char *bytes, size_t size)
{
    while (size) {
        ssize_t written = write(cells->file, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return lm_fail_errno(ctx, errno, "%s: cannot be written", path);
        bytes += written;
        size -= (size_t)written;
    }
    return LEMAN_OK;
}

leman_status lm_cells_open(leman_context *ctx, const char *path, bool adding, lm_cells *cells)
{
    leman_status st = LEMAN_OK;
    lm_bytes bytes = {0};
    if (!adding || !access(path, F_OK)) TRY(lm_bytes_open(ctx, path, MAX_BYTES, &bytes));
    TRY(lm_cells_parse(ctx, path, bytes, cells));
    if (!adding) goto done;
    cells->file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (cells->file < 0) TRY(lm_fail_errno(ctx, errno, "%s: cannot be opened for writing", path));
    cells->open = true;
    if (!bytes.size)
        TRY(add_bytes(ctx, path, cells, HEAD, sizeof HEAD - 1));
    else if (bytes.data[bytes.size - 1] != '\n')
        TRY(add_bytes(ctx, path, cells, "\n", 1));
done:
    lm_bytes_close(ctx, &bytes);
    return st;
}

leman_status lm_cells_add(leman_context *ctx, const char *path, lm_cells *cells, const leman_cell *cell)
{
    leman_status st = LEMAN_OK;
    char text[LINE + HEX + 3];
    TRY(lm_vector_append(ctx, &cells->cell, cell, 1, sizeof *cell));
    if (!cells->open) goto done;
    size_t used = write_line(cell, text);
    snprintf(text + used, sizeof text - used, "\t%016llx\n", (unsigned long long)lm_checksum(text, used, 0));
    TRY(add_bytes(ctx, path, cells, text, used + HEX + 2));
done:
    return st;
}

void lm_cells_close(leman_context *ctx, lm_cells *cells)
{
    if (cells->open) close(cells->file);
    lm_vector_free(ctx, &cells->cell);
    *cells = (lm_cells){0};
}

/* ---- Finding --------------------------------------------------------------------------------- */

static bool is_sufficient(const leman_cell *cell, const leman_cell *wanted)
{
    if (cell->seed != wanted->seed || cell->data_checksum != wanted->data_checksum) return false;
    switch (cell->state) {
    case LEMAN_CELL_STATE_NUMBER:
        return cell->quantity == LEMAN_PAPER_QUANTITY_SECONDS || cell->repetitions >= wanted->repetitions;
    case LEMAN_CELL_STATE_MEMORY: return cell->memory >= wanted->memory;
    case LEMAN_CELL_STATE_TIME: return wanted->time_limit > 0 && cell->time_limit >= wanted->time_limit;
    default: return false;
    }
}

const leman_cell *lm_cells_find(const lm_cells *cells, const leman_cell *wanted, bool any)
{
    const leman_cell *best = NULL, *cell = cells->cell.items;
    for (size_t i = 0; i < cells->cell.count; i++, cell++) {
        if (cell->quantity != wanted->quantity || cell->method != wanted->method || cell->set != wanted->set) continue;
        if (!any && !is_sufficient(cell, wanted)) continue;
        bool better = !best || (cell->state == LEMAN_CELL_STATE_NUMBER && best->state != LEMAN_CELL_STATE_NUMBER) ||
                      (cell->state == best->state && cell->repetitions >= best->repetitions);
        if (better) best = cell;
    }
    return best;
}
