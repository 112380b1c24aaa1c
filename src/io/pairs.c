/* Reads pairs of graphs. A line is two graph6 strings with a tab or blanks between; empty lines are skipped.
 * O(characters). */
#include "io/graph6.h"
#include <string.h>

static bool is_blank(char c)
{
    return c == '\t' || c == ' ';
}

/* Adds the graph in the next word of the line. */
static leman_status read_word(lm_graph6 *g, lm_text *line)
{
    while (line->at < line->end && is_blank(*line->at)) line->at++;
    if (line->at == line->end)
        return lm_text_fail(line, "found the end of the line, expected the second graph of a pair, behind a tab");
    g->text = *line;
    while (line->at < line->end && !is_blank(*line->at)) line->at++;
    g->text.end = line->at;
    return lm_graph6_line(g);
}

static leman_status read_pair(lm_graph6 *g, lm_text *text, bool *header)
{
    (void)header;
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    lm_text line = *text;
    if (newline) line.end = newline;
    while (line.end > line.at && (line.end[-1] == '\r' || is_blank(line.end[-1]))) line.end--;
    if (line.at < line.end) {
        PASS(read_word(g, &line));
        PASS(read_word(g, &line));
        if (line.at < line.end)
            return lm_text_fail(&line, "found something behind the second graph, expected the end of the line");
    }
    text->at = newline ? newline + 1 : text->end;
    text->line++;
    return LEMAN_OK;
}

/* Graphs 2i and 2i+1 of the data set are pair i. Empty graphs are kept, even if the policy removes them. */
static leman_status pairs_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                               leman_cleaning *cleaning, leman_dataset **out)
{
    leman_read_options kept = *options;
    leman_policy policy = *options->policy;
    if (policy.empty_graphs == LEMAN_ACTION_REMOVE) policy.empty_graphs = LEMAN_ACTION_KEEP;
    kept.policy = &policy;
    return lm_graph6_file(ctx, path, bytes, &kept, cleaning, read_pair, "two graphs with a tab between", out);
}

const lm_format_row lm_format_pairs = {.read = pairs_read};
