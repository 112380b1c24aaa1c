/*
 * Tells whether the first line of an edge list is a header that names its columns, or the first edge. The reader does
 * not guess: a first line of words that name no source and target, and that do not look like the lines below, is an
 * error.
 */
#include "base/ascii.h"
#include "io/edge_list.h"
#include <string.h>

typedef enum role { OTHER, SOURCE, TARGET, GRAPH, LABEL } role;

static role role_of(const lm_field *field)
{
    static const struct {
        const char *name;
        role role;
    } NAMES[] = {
        {"source", SOURCE},    {"src", SOURCE},         {"from", SOURCE},     {"tail", SOURCE},    {"node1", SOURCE},
        {"node_1", SOURCE},    {"vertex1", SOURCE},     {"vertex_1", SOURCE}, {"id1", SOURCE},     {"id_1", SOURCE},
        {"source_id", SOURCE}, {"from_node", SOURCE},   {"from_id", SOURCE},  {"node_a", SOURCE},  {"u", SOURCE},
        {"target", TARGET},    {"dst", TARGET},         {"to", TARGET},       {"head", TARGET},    {"node2", TARGET},
        {"node_2", TARGET},    {"vertex2", TARGET},     {"vertex_2", TARGET}, {"id2", TARGET},     {"id_2", TARGET},
        {"target_id", TARGET}, {"to_node", TARGET},     {"to_id", TARGET},    {"node_b", TARGET},  {"v", TARGET},
        {"dest", TARGET},      {"destination", TARGET}, {"graph", GRAPH},     {"graph_id", GRAPH}, {"graphid", GRAPH},
        {"graph_name", GRAPH}, {"label", LABEL},        {"edge_label", LABEL}};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (lm_is_word(field->at, field->length, NAMES[i].name)) return NAMES[i].role;
    /* label_2, label_3, ...: names that lm_edge_list_write() gives to further label columns */
    return field->length > 6 && lm_is_word(field->at, 6, "label_") ? LABEL : OTHER;
}

/* Returns true for words that are usual in headers, even if they do not make a line the header of an edge list. */
static bool is_header_word(const lm_field *field)
{
    static const char *const WORDS[] = {
        "smiles", "canonical_smiles", "inchi", "inchikey", "selfies", "weight", "id",  "name",
        "node",   "vertex",           "edge",  "class",    "value",   "active", "type"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (lm_is_word(field->at, field->length, WORDS[i])) return true;
    return role_of(field) != OTHER;
}

/* The single letters u and v are column names if integers stand below them; above words they may be vertices. */
static bool integers_below(const lm_csv *csv, size_t source, size_t target)
{
    AUTO(lm_csv_free) lm_csv below = *csv;
    int64_t id;
    bool more = false;
    below.undoubled = (lm_vector){0};
    if (lm_csv_next(&below, &more)) below.text.ctx->message[0] = 0; /* reported when the line is read again */
    return more && source < below.count && target < below.count &&
           lm_edge_list_is_id(below.text.ctx, below.field + source, &id) &&
           lm_edge_list_is_id(below.text.ctx, below.field + target, &id);
}

bool lm_edge_list_is_header(const lm_csv *csv)
{
    size_t source = SIZE_MAX, target = SIZE_MAX, letters = 0, others = 0;
    for (size_t i = 0; i < csv->count; i++) {
        const role r = role_of(csv->field + i);
        if (r == SOURCE) source = i;
        if (r == TARGET) target = i;
        letters += (r == SOURCE || r == TARGET) && csv->field[i].length == 1;
        others += r != SOURCE && r != TARGET && is_header_word(csv->field + i);
    }
    if (source == SIZE_MAX || target == SIZE_MAX) return false;
    return letters < 2 || others || integers_below(csv, source, target);
}

void lm_edge_list_add_column(lm_edge_list *list, size_t field, bool label, const char *name, size_t length)
{
    lm_edge_column *column = &list->column[list->columns++];
    *column = (lm_edge_column){.field = field, .label = label};
    if (length >= sizeof column->name) length = sizeof column->name - 1;
    memcpy(column->name, name, length);
}

leman_status lm_edge_list_read_header(lm_edge_list *list)
{
    const lm_csv *csv = &list->csv;
    static const char *const NAMES[] = {[SOURCE] = "source", [TARGET] = "target", [GRAPH] = "graph"};
    bool seen[LABEL + 1] = {false};
    list->header = true;
    list->fields = csv->count;
    for (size_t i = 0; i < csv->count; i++) {
        const lm_field *f = csv->field + i;
        if (lm_vertex_labels_field(&list->labels, f, i)) continue;
        role r = role_of(f);
        if (seen[r] && r != OTHER && r != LABEL)
            return lm_text_fail(&csv->row, "found a second %s column '%.*s', expected one", NAMES[r], (int)f->length,
                                f->at);
        seen[r] = true;
        if (r == SOURCE) list->source = i;
        if (r == TARGET) list->target = i;
        if (r == GRAPH) list->graph = i;
        if (r == LABEL || r == OTHER) lm_edge_list_add_column(list, i, r == LABEL, f->at, f->length);
    }
    list->has_graphs = seen[GRAPH];
    return LEMAN_OK;
}

/* ---- No header ------------------------------------------------------------------------------- */

/* Returns true if column i holds a number: an integer id for source and target, any number for a label. */
static bool is_number(const lm_csv *csv, size_t i)
{
    leman_context *ctx = csv->text.ctx;
    const lm_field *field = csv->field + i;
    int64_t id;
    double real;
    return i < 2 ? lm_edge_list_is_id(ctx, field, &id) : lm_text_is_real(ctx, field->at, field->length, &real);
}

void lm_edge_list_note_line(lm_edge_list *list)
{
    const lm_csv *csv = &list->csv;
    lm_first_line *first = &list->first;
    const bool is_first = !first->line;
    lm_joined columns = {0};
    if (is_first) first->line = csv->row.line, columns = lm_joined_begin(first->columns, sizeof first->columns);
    for (size_t i = 0; i < csv->count; i++) {
        const lm_field *field = csv->field + i;
        const bool word = field->length && i < LM_FIRST_COLUMNS && !is_number(csv, i);
        if (!is_first) {
            if (i < LM_FIRST_COLUMNS && field->length) first->numbers[i] |= !word, first->words[i] |= word;
            continue;
        }
        if (i < LM_FIRST_COLUMNS) first->word[i] = word;
        first->header_word |= is_header_word(field);
        const int shown = field->length < 32 ? (int)field->length : 32;
        lm_joined_add(&columns, "%s'%.*s'", i ? ", " : "", shown, field->at);
    }
}

leman_status lm_edge_list_refuse_first(const lm_edge_list *list)
{
    lm_text row = list->csv.row;
    row.line = list->first.line;
    return lm_text_fail(
        &row,
        "found the columns %s, expected an edge like those below, or a header that names a source "
        "(source, from, node1, u, ...) and a target (target, to, node2, v, ...); above a first edge of "
        "such words put a line 'source,target'; for a table of molecules --smiles names the column of SMILES",
        list->first.columns);
}

leman_status lm_edge_list_check_first(const lm_edge_list *list)
{
    const lm_first_line *first = &list->first;
    bool unlike = first->header_word && !first->again[0] && !first->again[1];
    for (size_t i = 0; i < LM_FIRST_COLUMNS; i++)
        unlike |= first->word[i] && first->numbers[i] && !first->words[i] && !(i < 2 && first->again[i]);
    return !list->header && unlike ? lm_edge_list_refuse_first(list) : LEMAN_OK;
}
