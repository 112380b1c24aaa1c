/*
 * Splits as JSON: a list of folds, or one fold alone.
 *
 *   [{"test": [4, 17], "model_selection": [{"train": [0, 1], "validation": [9, 101]}]}, ...]    Errica et al.
 *   {"train": [0, 1], "valid": [9, 101], "test": [4, 17]}                                      as OGB has them
 *
 * The validation part is named valid, val or validation; a part is a list of graph numbers from 0, alone or each in a
 * list of its own. A list of folds may lie under the key folds or splits. Other members are skipped. All graphs outside
 * test and validation part are training graphs: a training part must list exactly these. If a fold has no validation
 * part, it is drawn with the seed of the context.
 *
 * Repetitions: folds without common test graphs are one repetition. Otherwise, if consecutive folds together test every
 * graph once, as often as there are repetitions, these folds are a repetition; else every fold is one. Members
 * "repetition" and "fold" of every fold, in order, say it instead. O(size of the file + folds * graphs).
 */
#include "base/arguments.h"
#include "base/text.h"
#include "learn/protocol/splits.h"
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 64, KEY = 32 };
enum { TRAIN, VALIDATION, TEST, PARTS };
static const char *const PART_NAMES[PARTS] = {"train", "validation", "test"};

/* The fold that is being read. */
typedef struct fold {
    bool given[PARTS];
    size_t count[PARTS];
    int64_t repetition, number; /* -1: not given */
    bool listed;                /* a list of folds was found in its place */
} fold;

typedef struct reading {
    leman_context *ctx;
    lm_text text;
    size_t graphs, folds;
    bool numbered;         /* folds say their repetitions */
    size_t in_repetition;  /* numbered: folds of the first repetition; 0: not known yet */
    lm_split_list *list;   /* test and validation parts */
    uint32_t *part[PARTS]; /* [graphs] */
    size_t *seen[PARTS];   /* [graphs] 1 + the fold that last listed the graph in the part */
    size_t *tested;        /* [graphs] 1 + the repetition that last tested the graph */
} reading;

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Returns the next character after white space; 0 at the end. */
static char peek(lm_text *text)
{
    while (text->at < text->end && memchr(" \t\r\n", *text->at, 4)) text->line += *text->at++ == '\n';
    return text->at < text->end ? *text->at : 0;
}

static leman_status expect(lm_text *text, char c, const char *what)
{
    if (peek(text) != c) return lm_text_expected(text, what);
    text->at++;
    return LEMAN_OK;
}

/* Moves to element `index` of a list or object, over the comma in front of it, or over the closing bracket, where
 * *there is false. */
static leman_status next_element(lm_text *text, char close, size_t index, bool *there)
{
    *there = peek(text) != close;
    if (!*there) text->at++;
    if (!*there || !index) return LEMAN_OK;
    return expect(text, ',', close == ']' ? "a comma or ]" : "a comma or }");
}

/* Reads a string into key[KEY]. A longer string is cut off; escapes stay as they are, since no known key has one. */
static leman_status read_string(lm_text *text, char key[KEY])
{
    size_t length = 0;
    PASS(expect(text, '"', "a key in double quotes"));
    for (; text->at < text->end && *text->at != '"' && *text->at != '\n'; text->at++) {
        if (length < KEY - 1) key[length++] = *text->at;
        if (*text->at == '\\' && text->at + 1 < text->end && text->at[1] != '\n') text->at++;
    }
    key[length] = 0;
    return expect(text, '"', "the end of a string");
}

static leman_status read_key(lm_text *text, char key[KEY])
{
    PASS(read_string(text, key));
    return expect(text, ':', "a colon");
}

/* Skips true, false, null or a number. */
static leman_status skip_word(lm_text *text)
{
    static const char *const WORDS[] = {"true", "false", "null"};
    const char *end = text->at;
    double number;
    while (end < text->end && !memchr(" \t\r\n,:[]{}\"", *end, 11)) end++;
    const size_t length = (size_t)(end - text->at);
    bool known = lm_text_is_real(text->ctx, text->at, length, &number);
    for (size_t i = 0; i < 3; i++) known |= length == strlen(WORDS[i]) && !memcmp(text->at, WORDS[i], length);
    if (!known) return lm_text_expected(text, "a value of JSON");
    text->at = end;
    return LEMAN_OK;
}

static leman_status skip_value(lm_text *text, int depth)
{
    char key[KEY];
    const char open = peek(text), close = open == '[' ? ']' : '}';
    bool there = true;
    if (open == '"') return read_string(text, key);
    if (open != '[' && open != '{') return skip_word(text);
    if (depth == MAX_DEPTH) return lm_text_fail(text, "found values inside each other %d times, expected fewer", depth);
    text->at++;
    for (size_t i = 0;; i++) {
        PASS(next_element(text, close, i, &there));
        if (!there) return LEMAN_OK;
        if (open == '{') PASS(read_key(text, key));
        PASS(skip_value(text, depth + 1));
    }
}

/* Returns true, and moves behind it, if null is next. */
static bool skip_null(lm_text *text)
{
    if (peek(text) != 'n' || text->end - text->at < 4 || memcmp(text->at, "null", 4)) return false;
    text->at += 4;
    return true;
}

/* Reads a whole number from 0 to most. */
static leman_status read_number(lm_text *text, const char *what, uint64_t most, uint64_t *out)
{
    uint64_t value = 0;
    const char *at;
    char expected[64];
    peek(text);
    for (at = text->at; at < text->end && *at >= '0' && *at <= '9' && value <= most; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    snprintf(expected, sizeof expected, "%s from 0 to %llu", what, (unsigned long long)most);
    if (at == text->at || value > most || (at < text->end && !memchr(" \t\r\n,]}", *at, 7)))
        return lm_text_expected(text, expected);
    text->at = at;
    *out = value;
    return LEMAN_OK;
}

/* ---- Folds ----------------------------------------------------------------------------------- */

/* Reads a list of graphs. */
static leman_status read_part(reading *r, int part, fold *f)
{
    lm_text *text = &r->text;
    bool there = true;
    if (skip_null(text)) return LEMAN_OK;
    if (f->given[part])
        return lm_text_fail(text, "fold %zu: found the %s part twice, expected it once", r->folds, PART_NAMES[part]);
    f->given[part] = true;
    PASS(expect(text, '[', "a list of graph numbers"));
    for (size_t i = 0;; i++) {
        uint64_t graph;
        PASS(next_element(text, ']', i, &there));
        if (!there) return LEMAN_OK;
        const bool column = peek(text) == '['; /* a row of a table with one column */
        if (column) text->at++;
        PASS(read_number(text, "a graph number", r->graphs - 1, &graph));
        if (column) PASS(expect(text, ']', "]"));
        if (r->seen[part][graph] == r->folds + 1)
            return lm_text_fail(text, "fold %zu: found graph %llu twice in the %s part, expected it once", r->folds,
                                (unsigned long long)graph, PART_NAMES[part]);
        r->seen[part][graph] = r->folds + 1;
        r->part[part][f->count[part]++] = (uint32_t)graph;
    }
}

static leman_status read_folds(reading *r);

/* Reads the members of a fold. `inner`: those of model_selection; `outer`: the object is the whole file. */
static leman_status read_members(reading *r, fold *f, bool inner, bool outer)
{
    lm_text *text = &r->text;
    bool there = true;
    PASS(expect(text, '{',
                inner ? "a fold of model_selection" : "a fold, an object with the parts train, valid and test"));
    for (size_t i = 0;; i++) {
        char key[KEY];
        uint64_t number;
        PASS(next_element(text, '}', i, &there));
        if (!there) return LEMAN_OK;
        PASS(read_key(text, key));
        if (!strcmp(key, "train")) {
            PASS(read_part(r, TRAIN, f));
        } else if (!strcmp(key, "valid") || !strcmp(key, "val") || !strcmp(key, "validation")) {
            PASS(read_part(r, VALIDATION, f));
        } else if (!strcmp(key, "test") && !inner) {
            PASS(read_part(r, TEST, f));
        } else if (!strcmp(key, "model_selection") && !inner && !skip_null(text)) {
            PASS(expect(text, '[', "a list with one fold"));
            for (size_t j = 0;; j++) {
                PASS(next_element(text, ']', j, &there));
                if (!there) break;
                if (j)
                    return lm_text_fail(text, "fold %zu: found several folds in model_selection, expected one",
                                        r->folds);
                PASS(read_members(r, f, true, false));
            }
        } else if ((!strcmp(key, "repetition") || !strcmp(key, "fold")) && !inner) {
            PASS(read_number(text, "a number of a fold", LM_MAX_FOLDS, &number));
            *(*key == 'r' ? &f->repetition : &f->number) = (int64_t)number;
        } else if ((!strcmp(key, "folds") || !strcmp(key, "splits")) && outer && peek(text) == '[' && !f->listed) {
            f->listed = true;
            PASS(read_folds(r));
        } else {
            PASS(skip_value(text, 0));
        }
    }
}

/* Checks the place of a fold that says its repetition: the next of it, or the first of the next repetition. */
static leman_status check_number(reading *r, const fold *f)
{
    const bool numbered = f->repetition >= 0 && f->number >= 0;
    if (!r->folds) r->numbered = numbered;
    if (numbered != r->numbered || (f->repetition >= 0) != (f->number >= 0))
        return lm_text_fail(&r->text,
                            "fold %zu: found 'repetition' and 'fold' in some folds, expected them in all or in none",
                            r->folds);
    if (!numbered) return LEMAN_OK;
    if (f->repetition && !r->in_repetition) r->in_repetition = r->folds;
    const size_t folds = r->in_repetition ? r->in_repetition : r->folds + 1;
    const size_t repetition = r->folds / folds, number = r->folds % folds;
    if ((size_t)f->repetition != repetition || (size_t)f->number != number)
        return lm_text_fail(&r->text, "found repetition %lld, fold %lld, expected repetition %zu, fold %zu",
                            (long long)f->repetition, (long long)f->number, repetition, number);
    for (size_t i = 0; i < f->count[TEST]; i++) {
        const uint32_t graph = r->part[TEST][i];
        if (r->tested[graph] == repetition + 1)
            return lm_text_fail(&r->text, "found graph %u in two test parts of repetition %zu, expected it in one",
                                graph, repetition);
        r->tested[graph] = repetition + 1;
    }
    return LEMAN_OK;
}

/* Checks that no graph is in two parts and that training graphs are all others. */
static leman_status check_parts(reading *r, const fold *f)
{
    const size_t id = r->folds + 1, held = f->count[TEST] + f->count[VALIDATION];
    if (!f->given[TEST])
        return lm_text_fail(&r->text, "fold %zu: found no test part, expected train, valid and test", r->folds);
    for (int part = VALIDATION; part < PARTS; part++)
        if (f->given[part] && !f->count[part])
            return lm_text_fail(&r->text, "fold %zu: found no graph in the %s part, expected at least one", r->folds,
                                PART_NAMES[part]);
    for (size_t g = 0; g < r->graphs; g++) {
        const int in = (r->seen[TRAIN][g] == id) + (r->seen[VALIDATION][g] == id) + (r->seen[TEST][g] == id);
        if (in > 1)
            return lm_text_fail(&r->text, "fold %zu: found graph %zu in two parts, expected it in one", r->folds, g);
    }
    if (held >= r->graphs) return lm_text_fail(&r->text, "fold %zu leaves no graph to train", r->folds);
    if (f->given[TRAIN] && f->count[TRAIN] != r->graphs - held)
        return lm_text_fail(&r->text,
                            "fold %zu: found %zu training graph%s, expected the %zu that are in no other part",
                            r->folds, f->count[TRAIN], lm_plural(f->count[TRAIN]), r->graphs - held);
    return LEMAN_OK;
}

static leman_status read_fold(reading *r, bool outer)
{
    fold f = {.repetition = -1, .number = -1};
    PASS(read_members(r, &f, false, outer));
    for (int part = 0; part < PARTS && f.listed; part++)
        if (f.given[part])
            return lm_text_fail(&r->text, "found a list of folds beside a %s part, expected one of them",
                                PART_NAMES[part]);
    if (f.listed) return LEMAN_OK;
    if (r->folds == LM_MAX_FOLDS)
        return lm_text_fail(&r->text, "found more than %d folds, expected at most %d", LM_MAX_FOLDS, LM_MAX_FOLDS);
    PASS(check_parts(r, &f));
    PASS(check_number(r, &f));
    PASS(lm_split_list_add(r->ctx, r->list, r->part[TEST], f.count[TEST]));
    if (f.given[VALIDATION])
        PASS(lm_split_list_add(r->ctx, r->list, r->part[VALIDATION], f.count[VALIDATION]));
    else
        PASS(lm_split_list_validate(r->ctx, r->list, r->graphs, NULL, r->ctx->settings.seed));
    r->folds++;
    return LEMAN_OK;
}

static leman_status read_folds(reading *r)
{
    bool there = true;
    PASS(expect(&r->text, '[', "a list of folds"));
    for (size_t i = 0;; i++) {
        PASS(next_element(&r->text, ']', i, &there));
        if (!there) return LEMAN_OK;
        PASS(read_fold(r, false));
    }
}

/* ---- Repetitions ----------------------------------------------------------------------------- */

/* Returns the number of folds in a repetition. */
static size_t folds_of_repetition(const reading *r)
{
    const uint64_t *start = r->list->start.items;
    const uint32_t *graph = r->list->graph.items;
    size_t tested = 0, folds = 0;
    bool apart = true;
    if (r->numbered) return r->in_repetition ? r->in_repetition : r->folds;
    memset(r->tested, 0, r->graphs * sizeof *r->tested);
    for (size_t i = 0; i < r->folds; i++)
        for (uint64_t j = start[2 * i]; j < start[2 * i + 1]; j++) apart &= !r->tested[graph[j]]++;
    if (apart) return r->folds;
    for (; folds < r->folds && tested < r->graphs; folds++) tested += start[2 * folds + 1] - start[2 * folds];
    if (tested != r->graphs || r->folds % folds) return 1;
    memset(r->tested, 0, r->graphs * sizeof *r->tested);
    for (size_t i = 0; i < r->folds; i++)
        for (uint64_t j = start[2 * i]; j < start[2 * i + 1]; j++)
            if (r->tested[graph[j]]++ != i / folds) return 1; /* every graph once in each repetition so far */
    for (size_t g = 0; g < r->graphs; g++)
        if (r->tested[g] != r->folds / folds) return 1;
    return folds;
}

bool lm_splits_are_json(lm_bytes bytes)
{
    size_t i = 0;
    while (i < bytes.size && memchr(" \t\r\n", bytes.data[i], 4)) i++;
    return i < bytes.size && (bytes.data[i] == '{' || bytes.data[i] == '[');
}

leman_status lm_splits_parse_json(leman_context *ctx, const leman_dataset *data, const char *path, lm_bytes bytes,
                                  leman_splits **out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_split_list_free) lm_split_list list = {0};
    reading r = {.ctx = ctx, .text = lm_text_of(ctx, path, bytes), .list = &list};
    r.graphs = leman_dataset_shape(data)->graphs;
    if (!r.graphs) return lm_text_fail(&r.text, "found splits of a data set without graphs");
    for (int part = 0; part < PARTS; part++) {
        PASS_SCRATCH(ctx, r.part[part], r.graphs);
        PASS_SCRATCH_ZERO(ctx, r.seen[part], r.graphs);
    }
    PASS_SCRATCH_ZERO(ctx, r.tested, r.graphs);
    PASS(peek(&r.text) == '[' ? read_folds(&r) : read_fold(&r, true));
    peek(&r.text);
    if (r.text.at < r.text.end) return lm_text_expected(&r.text, "the end of the file");
    if (!r.folds) return lm_text_fail(&r.text, "found no fold, expected one or more");
    const size_t folds = folds_of_repetition(&r);
    if (r.folds % folds)
        return lm_text_fail(&r.text, "found %zu fold%s, expected a multiple of the %zu of a repetition", r.folds,
                            lm_plural(r.folds), folds);
    const leman_splits splits = {
        .graphs = r.graphs, .repetitions = r.folds / folds, .folds = folds, .seed = ctx->settings.seed};
    return lm_split_list_finish(ctx, &list, &splits, out);
}
