/*
 * Does it pay? Of every data set of a table: errors against the seconds of a run and against parameters, of the
 * networks of the table and of the methods whose results were given beside them (kernels, other networks); as a table
 * too.
 */
#include "report/cost.h"
#include "report/page.h"
#include "report/reproduction/network_tables.h"
#include "report/reproduction/sheet.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 64 };

/* Accuracies in percent, not errors. */
static bool in_percent(leman_network_table table)
{
    return table == LEMAN_NETWORK_TABLE_TU || table == LEMAN_NETWORK_TABLE_MID_SCALE;
}

/* The rows of a column that have results, then those beside them; names in name[]. */
static size_t gather(const leman_network_tables *r, leman_network_table table, size_t column, char (*name)[NAME],
                     lm_cost *cost)
{
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    const lm_tables_result *beside = r->beside.items;
    size_t count = 0;
    for (size_t row = 0; row < shape->rows; row++) {
        const leman_network_cell c = leman_network_tables_cell(r, table, row, column);
        if (!r->cell[table][row][column].asked || !c.runs || isnan(c.value[0])) continue;
        cost[count] = (lm_cost){.name = lm_page_method(shape->method[row], name[count], NAME),
                                .error = c.value[0],
                                .deviation = c.deviation[0],
                                .seconds = c.seconds,
                                .parameters = (double)c.parameters};
        count++;
    }
    for (size_t i = 0; i < r->beside.count; i++) {
        if (strcmp(beside[i].set, shape->set[column]) != 0) continue;
        cost[count] = (lm_cost){.name = lm_page_method(beside[i].method, name[count], NAME),
                                .error = beside[i].value,
                                .deviation = beside[i].deviation,
                                .seconds = beside[i].seconds,
                                .parameters = (double)beside[i].parameters};
        count++;
    }
    for (size_t i = 0; in_percent(table) && i < count; i++) cost[i].error = 100 - cost[i].error;
    return count;
}

static void row(lm_sheet *s, const lm_cost *c, bool percent)
{
    char text[LM_SHEET_TEXT], number[LM_NUMBER_TEXT];
    lm_sheet_row_begin(s, "");
    lm_sheet_cell(s, c->name);
    lm_sheet_cell(s, "");
    lm_sheet_cell(s, isnan(c->deviation)
                         ? lm_sheet_text(text, percent ? "%.1f" : "%.3f", c->error)
                         : lm_sheet_text(text, percent ? "%.1f ±%.1f" : "%.3f ±%.3f", c->error, c->deviation));
    lm_sheet_cell(s, lm_sheet_text(text, c->seconds < 100 ? "%.3g" : "%.0f", c->seconds));
    lm_sheet_cell(s, c->parameters > 0 ? lm_count_text((uint64_t)c->parameters, number) : "–");
    lm_sheet_row_end(s);
}

static void write_table(lm_sheet *s, const char *error, const lm_cost *cost, size_t count, bool percent)
{
    const char *const head[] = {"method", "", error, "seconds", "parameters"};
    lm_sheet_table_begin(s);
    lm_sheet_row_begin(s, "");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) lm_sheet_cell(s, head[i]);
    lm_sheet_row_end(s);
    for (size_t i = 0; i < count; i++) row(s, cost + i, percent);
    lm_sheet_table_end(s);
}

leman_status lm_network_tables_cost(leman_context *ctx, lm_sheet *s, const leman_network_tables *r,
                                    leman_network_table table)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    const leman_network_table_shape *shape = leman_network_table_describe(table);
    const bool percent = in_percent(table);
    const char *error = percent ? "test error (%)" : shape->quantity[0];
    char(*name)[NAME], text[LM_SHEET_TEXT];
    lm_cost *cost;
    if (table == LEMAN_NETWORK_TABLE_TIMES) goto done;
    SCRATCH(ctx, name, shape->rows + r->beside.count);
    SCRATCH(ctx, cost, shape->rows + r->beside.count);
    for (size_t c = 0; c < shape->columns; c++) {
        const size_t count = lm_network_tables_asks(r, table, c) ? gather(r, table, c, name, cost) : 0;
        if (count < 2) continue;
        lm_sheet_heading(s,
                         lm_sheet_text(text, "Does it pay? Error against seconds and parameters on %s", shape->set[c]));
        if (s->html) TRY(lm_cost_figures(ctx, s->out, error, cost, count));
        write_table(s, error, cost, count, percent);
    }
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
