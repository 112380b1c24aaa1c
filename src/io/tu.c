/*
 * Reads TU text from a folder or zip. The indicator is read first and gives the numbers of vertices and graphs. Then
 * come the edges, which are checked line by line, then the tables. graph/assemble.c applies the policy and orders the
 * edges.
 *
 * Each file is passed over once to count its lines and once to read them; each array is allocated once. Time O(bytes).
 * Memory for the numbers, and for one decompressed member of a zip.
 */
#include "io/tu.h"
#include "base/text.h"
#include <stddef.h>
#include <string.h>

#define COLUMNS(field) offsetof(leman_columns, field)
#define PLACES(field) offsetof(lm_raw, field), offsetof(leman_dataset, field)
const lm_tu_table lm_tu_tables[LM_TU_TABLES] = {
    {"_graph_labels.txt", "a class (an integer)", LM_TU_GRAPHS, false, LM_TU_CLASSES, PLACES(class_label)},
    {"_graph_attributes.txt", "a target (a number)", LM_TU_GRAPHS, true, COLUMNS(targets), PLACES(target)},
    {"_node_labels.txt", "a vertex label (an integer)", LM_TU_VERTICES, false, COLUMNS(vertex_labels),
     PLACES(vertex_label)},
    {"_node_attributes.txt", "a vertex attribute (a number)", LM_TU_VERTICES, true, COLUMNS(vertex_attributes),
     PLACES(vertex_attribute)},
    {"_edge_labels.txt", "an edge label (an integer)", LM_TU_ARCS, false, COLUMNS(edge_labels), PLACES(edge_label)},
    {"_edge_attributes.txt", "an edge attribute (a number)", LM_TU_ARCS, true, COLUMNS(edge_attributes),
     PLACES(edge_attribute)},
};

enum { GRAPHS_AT_LEAST = 1000000, GRAPHS_PER_VERTEX = 16, STEP = 1 << 14 /* lines between two progress reports */ };

typedef struct tu_reading {
    leman_context *ctx;
    lm_archive *archive;
    char *prefix; /* "NAME/NAME": the beginning of the names of all members */
    lm_raw raw;
    char *edge_file; /* name of NAME_A.txt in messages */
} tu_reading;

size_t lm_tu_columns(const lm_tu_table *table, const leman_columns *columns)
{
    if (table->columns == LM_TU_CLASSES) return columns->classes;
    size_t count;
    memcpy(&count, (const char *)columns + table->columns, sizeof count);
    return count;
}

size_t lm_tu_graph_limit(size_t vertices)
{
    return GRAPHS_AT_LEAST + (vertices < UINT32_MAX ? vertices : UINT32_MAX) * GRAPHS_PER_VERTEX;
}

/* ---- Members --------------------------------------------------------------------------------- */

/* One member of the archive as text. */
typedef struct tu_file {
    lm_bytes bytes;
    char *shown; /* name of the member in messages */
    lm_text text;
    size_t lines; /* upper bound on the number of lines */
} tu_file;

static void tu_file_close(tu_file *s)
{
    lm_bytes_close(&s->bytes);
    lm_release(s->shown);
}

/* A line of numbers has a digit and, unless it is the last line, an end. Half the number of bytes is therefore an upper
 * bound on the lines of any valid file. */
static size_t count_lines(lm_bytes bytes)
{
    size_t lines = 1;
    for (size_t i = 0; i < bytes.size; i++) lines += bytes.data[i] == '\n';
    return lines < bytes.size / 2 + 1 ? lines : bytes.size / 2 + 1;
}

/* Opens the member whose name has this ending; s->text.ctx is NULL if there is none. */
static leman_status tu_file_open(tu_reading *r, const char *ending, tu_file *s)
{
    AUTO(lm_release_at) char *name = NULL;
    bool found;
    PASS_NEW(r->ctx, name, strlen(r->prefix) + strlen(ending) + 1);
    strcat(strcpy(name, r->prefix), ending);
    PASS(lm_archive_shown(r->archive, name, &s->shown));
    PASS(lm_archive_read(r->archive, name, &s->bytes, &found));
    if (!found) return LEMAN_OK;
    s->lines = count_lines(s->bytes);
    s->text = lm_text_of(r->ctx, s->shown, s->bytes);
    lm_progress_begin(r->ctx, s->bytes.size, "reading %s", lm_path_base(s->shown));
    return LEMAN_OK;
}

/* Reports progress after line number `line` (from 0), once in STEP lines. */
static leman_status report_line(tu_reading *r, const tu_file *s, size_t line)
{
    return line % STEP ? LEMAN_OK : lm_progress_step(r->ctx, (uint64_t)(s->text.at - s->bytes.data));
}

/* ---- The two required files ------------------------------------------------------------------ */

static leman_status read_indicator(tu_reading *r)
{
    AUTO(tu_file_close) tu_file s = {0};
    PASS(tu_file_open(r, LM_TU_INDICATOR, &s));
    int64_t largest = 0, limit = (int64_t)lm_tu_graph_limit(s.lines);
    size_t n = 0;
    PASS(lm_raw_check_size(r->ctx, &r->raw, 0, s.lines));
    PASS(lm_vector_reserve(r->ctx, &r->raw.vertex_graph, s.lines, sizeof(uint32_t)));
    uint32_t *graph = r->raw.vertex_graph.items;
    for (; !lm_text_end(&s.text); n++) {
        int64_t number;
        PASS(lm_text_integer(&s.text, "a graph number", &number));
        if (number < 1)
            return lm_text_fail(&s.text, "found graph %lld, expected graphs numbered from 1", (long long)number);
        if (number > limit)
            return lm_text_fail(&s.text, "found graph %lld in a file of %zu line%s, expected at most %lld",
                                (long long)number, s.lines, lm_plural(s.lines), (long long)limit);
        PASS(lm_text_newline(&s.text));
        graph[n] = (uint32_t)(number - 1);
        if (number > largest) largest = number;
        PASS(report_line(r, &s, n));
    }
    if (!n)
        return lm_fail(r->ctx, LEMAN_ERROR_INPUT, "%s:1: found no lines, expected a graph number for each vertex",
                       s.shown);
    PASS(lm_raw_check_size(r->ctx, &r->raw, (size_t)largest, 0));
    r->raw.vertex_graph.count = n;
    r->raw.graphs = (size_t)largest;
    return LEMAN_OK;
}

static leman_status read_vertex(tu_reading *r, lm_text *text, uint32_t *vertex)
{
    int64_t number;
    size_t vertices = r->raw.vertex_graph.count;
    PASS(lm_text_integer(text, "a vertex number", &number));
    if (number < 1 || (uint64_t)number > vertices)
        return lm_text_fail(text, "found vertex %lld, expected vertices numbered from 1 to %zu", (long long)number,
                            vertices);
    *vertex = (uint32_t)(number - 1);
    return LEMAN_OK;
}

static leman_status read_edges(tu_reading *r)
{
    AUTO(tu_file_close) tu_file s = {0};
    PASS(tu_file_open(r, LM_TU_EDGES, &s));
    if (!s.text.ctx)
        return lm_fail(r->ctx, LEMAN_ERROR_INPUT, "%s: found %s%s but not %s%s, expected both", r->archive->shown,
                       r->prefix, LM_TU_INDICATOR, r->prefix, LM_TU_EDGES);
    PASS(lm_vector_reserve(r->ctx, &r->raw.tail, s.lines, sizeof(uint32_t)));
    PASS(lm_vector_reserve(r->ctx, &r->raw.head, s.lines, sizeof(uint32_t)));
    uint32_t *tail = r->raw.tail.items, *head = r->raw.head.items;
    const uint32_t *graph = r->raw.vertex_graph.items;
    size_t n = 0;
    for (; !lm_text_end(&s.text); n++) {
        PASS(read_vertex(r, &s.text, tail + n));
        PASS(lm_text_comma(&s.text));
        PASS(read_vertex(r, &s.text, head + n));
        if (graph[tail[n]] != graph[head[n]])
            return lm_text_fail(
                &s.text,
                "found an edge from vertex %llu of graph %llu to vertex %llu of graph %llu, expected both in "
                "one graph",
                tail[n] + 1ull, graph[tail[n]] + 1ull, head[n] + 1ull, graph[head[n]] + 1ull);
        PASS(lm_text_newline(&s.text));
        PASS(report_line(r, &s, n));
    }
    r->raw.tail.count = r->raw.head.count = n;
    r->edge_file = s.shown; /* for error messages of the policy */
    s.shown = NULL;
    r->raw.edge_file = r->edge_file;
    return LEMAN_OK;
}

/* ---- The tables ------------------------------------------------------------------------------ */

/* Appends a number to values: the value of a missing class or target if `missing`, otherwise the number in the text. */
static leman_status read_number(tu_reading *r, lm_text *text, const lm_tu_table *table, lm_vector *values, bool missing)
{
    const double target = lm_missing_target();
    const int64_t class_label = LEMAN_CLASS_MISSING;
    if (values->count == values->capacity) PASS(lm_vector_reserve(r->ctx, values, 1, 8));
    void *place = (char *)values->items + 8 * values->count;
    if (missing)
        memcpy(place, table->real ? (const void *)&target : (const void *)&class_label, 8);
    else
        PASS(table->real ? lm_text_real(text, table->number, place) : lm_text_integer(text, table->number, place));
    values->count++;
    return LEMAN_OK;
}

/* Appends the numbers of one line to values and sets *columns to their count. Classes and targets may be missing: nan,
 * nothing between two commas, or nothing behind the last comma of a line that has one number less than expected. */
static leman_status read_row(tu_reading *r, lm_text *text, const lm_tu_table *table, lm_vector *values, size_t expected,
                             size_t *columns)
{
    const bool may_miss = table->rows == LM_TU_GRAPHS;
    const char *behind;
    *columns = 0;
    do {
        if (*columns) PASS(lm_text_comma(text));
        PASS(read_number(r, text, table, values, may_miss && lm_text_missing(text)));
        behind = text->at;
        ++*columns;
    } while (!lm_text_line_end(text));
    if (may_miss && *columns + 1 == expected && memchr(behind, ',', (size_t)(text->at - behind))) {
        PASS(read_number(r, text, table, values, true));
        ++*columns;
    }
    return LEMAN_OK;
}

/* The message names the first line that only one of the two files has. */
static leman_status check_rows(const tu_reading *r, const tu_file *s, const lm_tu_table *table, size_t rows)
{
    const size_t expected[] = {r->raw.graphs, r->raw.vertex_graph.count, r->raw.tail.count};
    const char *const what[] = {"the largest graph number of", "the lines of", "the lines of"};
    size_t count = expected[table->rows];
    if (rows == count) return LEMAN_OK;
    return lm_fail(r->ctx, LEMAN_ERROR_INPUT, "%s:%zu: found %zu line%s, expected %zu: %s %s%s", s->shown,
                   (rows < count ? rows : count) + 1, rows, lm_plural(rows), count, what[table->rows],
                   lm_path_base(r->prefix), table->rows == LM_TU_ARCS ? LM_TU_EDGES : LM_TU_INDICATOR);
}

static leman_status read_table(tu_reading *r, const lm_tu_table *table)
{
    AUTO(tu_file_close) tu_file s = {0};
    lm_vector *values = (lm_vector *)(void *)((char *)&r->raw + table->raw);
    size_t columns = 0, rows = 0;
    PASS(tu_file_open(r, table->ending, &s));
    if (!s.text.ctx) return LEMAN_OK;
    for (; !lm_text_end(&s.text); rows++) {
        size_t here;
        PASS(read_row(r, &s.text, table, values, columns, &here));
        if (table->columns == LM_TU_CLASSES && here > 1)
            return lm_text_fail(&s.text, "found %zu number%s, expected one class", here, lm_plural(here));
        if (!rows) { /* estimate the rest: every number has a digit and a separator */
            size_t all, max = s.bytes.size / 2 + 1;
            columns = here;
            if (!lm_multiply(s.lines, columns, &all) || all > max) all = max;
            PASS(lm_vector_reserve(r->ctx, values, all - columns, 8));
        }
        if (here != columns)
            return lm_text_fail(&s.text, "found %zu number%s, expected %zu as in line 1", here, lm_plural(here),
                                columns);
        PASS(lm_text_newline(&s.text));
        PASS(report_line(r, &s, rows));
    }
    PASS(check_rows(r, &s, table, rows));
    if (table->columns == LM_TU_CLASSES)
        r->raw.columns.classes = true;
    else
        memcpy((char *)&r->raw.columns + table->columns, &columns, sizeof columns);
    return LEMAN_OK;
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* Reads the rest of the line without the blanks at both ends, and moves to the next line. */
static leman_status rest_of_line(lm_text *text, const char **name, size_t *length)
{
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    const char *first = text->at, *last = newline ? newline : text->end;
    while (first < last && (*first == ' ' || *first == '\t')) first++;
    while (first < last && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r')) last--;
    if (!lm_text_printable(first, (size_t)(last - first)))
        return lm_text_fail(text, "found bytes that are no printable UTF-8 text, expected a name");
    *name = first;
    *length = (size_t)(last - first);
    text->at = newline ? newline + 1 : text->end;
    text->line += newline != NULL;
    return LEMAN_OK;
}

static leman_status read_target_names(lm_text *text, lm_raw *raw)
{
    const char *name;
    size_t length;
    for (size_t i = 0; i < raw->columns.targets; i++) {
        if (text->at == text->end)
            return lm_text_fail(text, "found the end of the file, expected the names of %zu target%s, one a line",
                                raw->columns.targets, lm_plural(raw->columns.targets));
        PASS(rest_of_line(text, &name, &length));
        PASS(lm_raw_target_name(text->ctx, raw, name, length));
    }
    if (!lm_text_end(text)) return lm_text_expected(text, "the end of the file: all targets have their names");
    return LEMAN_OK;
}

static leman_status read_class_names(lm_text *text, lm_raw *raw)
{
    const char *name;
    size_t length;
    while (!lm_text_end(text)) {
        int64_t class_label;
        PASS(lm_text_integer(text, "a class (an integer)", &class_label));
        PASS(lm_text_comma(text));
        PASS(rest_of_line(text, &name, &length));
        PASS(lm_raw_class_name(text->ctx, raw, class_label, name, length));
    }
    return LEMAN_OK;
}

/* Reads a file of names if it exists and raw has the columns that it names. */
static leman_status read_names(tu_reading *r, const char *ending, bool wanted,
                               leman_status (*read)(lm_text *text, lm_raw *raw))
{
    AUTO(tu_file_close) tu_file s = {0};
    if (!wanted) return LEMAN_OK;
    PASS(tu_file_open(r, ending, &s));
    if (s.text.ctx) PASS(read(&s.text, &r->raw));
    return LEMAN_OK;
}

/* ---- The data set ---------------------------------------------------------------------------- */

/* The prefix is the part of the name before _graph_indicator.txt. The name of the data set is the part of the prefix
 * behind its last slash. */
static leman_status find_prefix(tu_reading *r)
{
    const lm_member *members = r->archive->members.items;
    const char *first = NULL;
    for (size_t i = 0; i < r->archive->members.count; i++) {
        const char *name = members[i].name;
        size_t length = strlen(name), tail = strlen(LM_TU_INDICATOR);
        if (length < tail || strcmp(name + length - tail, LM_TU_INDICATOR)) continue;
        if (first && strcmp(first, name))
            return lm_fail(r->ctx, LEMAN_ERROR_INPUT, "%s: found both %s and %s, expected one data set",
                           r->archive->shown, first, name);
        if (first) continue; /* a repeated name is reported by lm_archive_read() */
        first = name;
        PASS(lm_copy_text(r->ctx, name, length - tail, &r->prefix));
    }
    if (!first)
        return lm_fail(r->ctx, LEMAN_ERROR_INPUT, "%s: found no file NAME%s, expected a TU data set", r->archive->shown,
                       LM_TU_INDICATOR);
    const char *base = lm_path_base(r->prefix);
    if (!*base) return lm_path_stem(r->ctx, r->archive->shown, &r->raw.name);
    PASS(lm_copy_text(r->ctx, base, strlen(base), &r->raw.name));
    lm_text_clean(r->raw.name, '_');
    return LEMAN_OK;
}

static void tu_reading_end(tu_reading *r)
{
    lm_raw_free(&r->raw);
    RELEASE(r->prefix, r->edge_file);
}

static bool has_file(const tu_reading *r, const char *ending)
{
    const lm_member *members = r->archive->members.items;
    const size_t before = strlen(r->prefix);
    for (size_t i = 0; i < r->archive->members.count; i++)
        if (!strncmp(members[i].name, r->prefix, before) && !strcmp(members[i].name + before, ending)) return true;
    return false;
}

leman_status lm_tu_read_archive(leman_context *ctx, lm_archive *archive, const leman_read_options *options,
                                leman_cleaning *cleaning, leman_dataset **out)
{
    AUTO(tu_reading_end) tu_reading r = {.ctx = ctx, .archive = archive};
    PASS(find_prefix(&r));
    PASS(read_indicator(&r));
    PASS(read_edges(&r));
    for (const lm_tu_table *t = lm_tu_tables; t < lm_tu_tables + LM_TU_TABLES; t++)
        if (t->columns != COLUMNS(vertex_attributes) || !options->without_vertex_attributes)
            PASS(read_table(&r, t));
        else if (options->attributes_left_out && has_file(&r, t->ending))
            *options->attributes_left_out = true;
    PASS(read_names(&r, LM_TU_TARGET_NAMES, r.raw.columns.targets, read_target_names));
    PASS(read_names(&r, LM_TU_CLASS_NAMES, r.raw.columns.classes, read_class_names));
    return lm_dataset_assemble(ctx, &r.raw, options->policy, cleaning, out);
}

static leman_status tu_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                            leman_cleaning *cleaning, leman_dataset **out)
{
    AUTO(lm_archive_close) lm_archive archive = {0};
    PASS(bytes ? lm_archive_open_zip(ctx, path, bytes, options->max_bytes, &archive)
               : lm_archive_open_folder(ctx, path, options->max_bytes, &archive));
    return lm_tu_read_archive(ctx, &archive, options, cleaning, out);
}

const lm_format_row lm_format_tu = {.read = tu_read, .write_folder = lm_tu_write};
const lm_format_row lm_format_tu_zip = {
    .endings = {".zip"}, .marks = {"PK\003\004", "PK\005\006"}, .read = tu_read, .write = lm_tu_zip_write};
