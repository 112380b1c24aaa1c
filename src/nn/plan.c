/* Events, lifetimes and placement of a run; plan.h explains them. */
#include "nn/plan.h"

enum { ALIGNMENT = 256 }; /* devices read rows in units of 32 to 128 bytes */
#define UNMET (LM_NONE - 1)

static bool has_memory(const lm_value *value)
{
    return value->source == LM_FROM_STEP || value->source == LM_FROM_ZEROS;
}

static void extend(lm_piece *piece, size_t time)
{
    if (time < piece->first) piece->first = time;
    if (time > piece->last || piece->last == SIZE_MAX) piece->last = time;
}

static bool wanted(const lm_piece *piece)
{
    return piece->first != SIZE_MAX;
}

/* ---- What is computed again ------------------------------------------------------------------ */

/* Returns true if only messages read the value of this root. */
static bool is_sent(const lm_program *p, uint32_t root)
{
    for (size_t s = 0; s < p->steps.count; s++) {
        const lm_step *step = lm_program_step(p, s);
        for (size_t i = 0; i < LM_STEP_VALUES; i++)
            if (step->input[i] != LM_NONE && lm_program_value(p, step->input[i])->root == root &&
                step->operation != LM_OP_MESSAGES)
                return false;
    }
    return true;
}

/* Returns true if the mode runs the step again rather than keep its output, some columns of a root. */
static bool is_cheap(const lm_plan *plan, const lm_step *step, uint32_t root)
{
    const lm_row_space space = lm_program_value(plan->program, root)->space;
    if (step->operation == LM_OP_NORM) return space == LM_TUPLES;
    if (plan->mode != LM_LEAST) return false;
    switch (step->operation) {
    case LM_OP_EMBED:
    case LM_OP_SPREAD:
    case LM_OP_ADD:
    case LM_OP_NEIGHBORS:
    case LM_OP_PAIR_SUMS:
    case LM_OP_MESSAGES: return space == LM_TUPLES;
    case LM_OP_LINEAR: return space == LM_TUPLES && is_sent(plan->program, root);
    case LM_OP_GATHER: return true;
    default: return false;
    }
}

/* home[root]: 0 if the root is computed again because all its steps are cheap, otherwise LM_NONE. */
static void find_cheap(const lm_plan *plan, uint32_t *home)
{
    const lm_program *p = plan->program;
    for (uint32_t v = 0; v < p->values.count; v++) {
        const lm_value *value = lm_program_value(p, v);
        home[v] = value->source == LM_FROM_STEP && !value->kept ? 0 : LM_NONE;
    }
    for (size_t s = 0; s < p->steps.count; s++) {
        const lm_step *step = lm_program_step(p, s);
        for (size_t i = 0; i < LM_STEP_VALUES; i++) {
            if (step->output[i] == LM_NONE) continue;
            const uint32_t root = lm_program_value(p, step->output[i])->root;
            if (!is_cheap(plan, step, root)) home[root] = LM_NONE;
        }
    }
}

/*
 * home[root]: the segment that contains all steps which read or write the root. LM_NONE if the root is kept: because it
 * is used in several segments, is small, or belongs to the last segment (whose backward pass follows immediately).
 */
static void find_homes(const lm_plan *plan, uint32_t *home)
{
    const lm_program *p = plan->program;
    if (plan->mode == LM_LESS || plan->mode == LM_LEAST) {
        find_cheap(plan, home);
        return;
    }
    for (uint32_t v = 0; v < p->values.count; v++) {
        const lm_value *value = lm_program_value(p, v);
        bool stays = value->kept || value->space == LM_SINGLE || value->space == LM_GRAPHS || !has_memory(value);
        home[v] = stays || plan->mode != LM_RECOMPUTE ? LM_NONE : UNMET;
    }
    for (size_t s = 0; s < p->steps.count; s++) {
        const lm_step *step = lm_program_step(p, s);
        for (size_t i = 0; i < 2 * LM_STEP_VALUES; i++) {
            uint32_t v = i < LM_STEP_VALUES ? step->input[i] : step->output[i - LM_STEP_VALUES];
            if (v == LM_NONE) continue;
            uint32_t *at = home + lm_program_value(p, v)->root;
            if (*at == UNMET) *at = step->segment;
            if (*at != step->segment || step->segment == p->segments) *at = LM_NONE;
        }
    }
}

/* Marks in rerun[] the steps of one segment, first .. end-1, that must run again. needed[root]: the value is read. */
static void find_recomputed(const lm_plan *plan, const uint32_t *home, size_t first, size_t end, bool *needed,
                            bool *rerun)
{
    const lm_program *p = plan->program;
    for (size_t s = first; s < end; s++) {
        const lm_step *step = lm_program_step(p, s);
        for (size_t i = 0; i < LM_STEP_VALUES; i++) {
            if (step->input[i] != LM_NONE && lm_operation_reads_input(step, i))
                needed[lm_program_value(p, step->input[i])->root] = true;
            if (step->output[i] != LM_NONE && lm_operation_reads_output(step, i))
                needed[lm_program_value(p, step->output[i])->root] = true;
        }
    }
    for (size_t s = end; s-- > first;) {
        const lm_step *step = lm_program_step(p, s);
        rerun[s] = false;
        for (size_t i = 0; i < LM_STEP_VALUES; i++) {
            uint32_t root = step->output[i] == LM_NONE ? LM_NONE : lm_program_value(p, step->output[i])->root;
            if (root != LM_NONE && home[root] != LM_NONE && needed[root]) rerun[s] = true;
        }
        for (size_t i = 0; rerun[s] && i < LM_STEP_VALUES; i++)
            if (step->input[i] != LM_NONE) needed[lm_program_value(p, step->input[i])->root] = true;
    }
}

/* ---- Events ---------------------------------------------------------------------------------- */

static void add_event(lm_plan *plan, size_t step, lm_phase phase)
{
    plan->event[plan->events++] = (lm_event){(uint32_t)step, phase};
}

/* A step takes part in the backward pass if a value or weight that it reads is learned. */
static bool goes_back(const lm_program *p, const lm_step *step)
{
    return step->output[0] == p->loss || lm_program_value(p, step->output[0])->differentiable;
}

/* Adds the steps that write a value, unless it is kept or they have run again before; what they read comes first. */
static void run_again(lm_plan *plan, const uint32_t *home, uint32_t v, bool *done, bool *rerun)
{
    const lm_program *p = plan->program;
    const uint32_t root = v == LM_NONE ? LM_NONE : lm_program_value(p, v)->root;
    if (root == LM_NONE || home[root] == LM_NONE || done[root]) return;
    done[root] = true;
    for (size_t s = 0; s < p->steps.count; s++) {
        const lm_step *step = lm_program_step(p, s);
        bool writes = false;
        for (size_t i = 0; i < LM_STEP_VALUES; i++)
            writes = writes || (step->output[i] != LM_NONE && lm_program_value(p, step->output[i])->root == root);
        if (!writes || rerun[s]) continue;
        rerun[s] = true;
        for (size_t i = 0; i < LM_STEP_VALUES; i++) run_again(plan, home, step->input[i], done, rerun);
        add_event(plan, s, LM_AGAIN);
    }
}

/* The backward pass of LM_LESS and LM_LEAST: before each step, what it reads and is not kept. */
static void list_cheap_events(lm_plan *plan, const uint32_t *home, bool *done, bool *rerun)
{
    const lm_program *p = plan->program;
    for (size_t s = 0; s < p->steps.count; s++) rerun[s] = false;
    for (size_t s = p->steps.count; s-- > 0;) {
        const lm_step *step = lm_program_step(p, s);
        if (!goes_back(p, step)) continue;
        for (size_t i = 0; i < LM_STEP_VALUES; i++) {
            if (lm_operation_reads_input(step, i)) run_again(plan, home, step->input[i], done, rerun);
            if (lm_operation_reads_output(step, i)) run_again(plan, home, step->output[i], done, rerun);
        }
        add_event(plan, s, LM_BACKWARD);
    }
}

static void list_events(lm_plan *plan, const uint32_t *home, bool *needed, bool *rerun)
{
    const lm_program *p = plan->program;
    plan->events = 0;
    for (size_t s = 0; s < p->steps.count; s++) add_event(plan, s, LM_FORWARD);
    plan->forward = plan->events;
    if (plan->mode == LM_LESS || plan->mode == LM_LEAST) {
        list_cheap_events(plan, home, needed, rerun);
        return;
    }
    for (size_t end = p->steps.count, first; plan->mode != LM_INFER && end; end = first) {
        for (first = end - 1; first && lm_program_step(p, first - 1)->segment == lm_program_step(p, end - 1)->segment;)
            first--;
        find_recomputed(plan, home, first, end, needed, rerun);
        for (size_t s = first; s < end; s++)
            if (rerun[s]) add_event(plan, s, LM_AGAIN);
        for (size_t s = end; s-- > first;)
            if (goes_back(p, lm_program_step(p, s))) add_event(plan, s, LM_BACKWARD);
    }
}

/* ---- Lifetimes ------------------------------------------------------------------------------- */

/* Records that a phase uses a value at this time: its place in that phase is live then. */
static void touch_value(lm_plan *plan, const uint32_t *home, uint32_t v, lm_phase phase, size_t time)
{
    const lm_program *p = plan->program;
    if (v == LM_NONE || !has_memory(lm_program_value(p, v))) return;
    uint32_t root = lm_program_value(p, v)->root;
    bool second = phase != LM_FORWARD && home[root] != LM_NONE;
    extend((second ? plan->again : plan->value) + root, time);
}

static void touch_gradient(lm_plan *plan, uint32_t v, size_t time)
{
    const lm_program *p = plan->program;
    if (v == LM_NONE || !lm_program_value(p, v)->differentiable) return;
    extend(plan->gradient + lm_program_value(p, v)->root, time);
}

static void find_lifetimes(lm_plan *plan, const uint32_t *home)
{
    const lm_program *p = plan->program;
    for (size_t time = 0; time < plan->events; time++) {
        const lm_step *step = lm_program_step(p, plan->event[time].step);
        lm_phase phase = plan->event[time].phase;
        for (size_t i = 0; i < LM_STEP_VALUES; i++) {
            bool back = phase == LM_BACKWARD;
            if (!back || lm_operation_reads_input(step, i)) touch_value(plan, home, step->input[i], phase, time);
            if (!back || lm_operation_reads_output(step, i)) touch_value(plan, home, step->output[i], phase, time);
            if (back) touch_gradient(plan, step->input[i], time);
            if (back) touch_gradient(plan, step->output[i], time);
        }
    }
    for (uint32_t v = 0; v < p->values.count; v++) {
        const lm_value *value = lm_program_value(p, v);
        if (!wanted(plan->value + v)) continue;
        if (value->kept || plan->mode == LM_WHOLE) extend(plan->value + v, plan->events - 1);
        if (value->source == LM_FROM_ZEROS) extend(plan->value + v, 0); /* cleared before the first event */
    }
}

const lm_piece *lm_plan_piece(const lm_plan *plan, uint32_t root, lm_phase phase)
{
    return phase != LM_FORWARD && wanted(plan->again + root) ? plan->again + root : plan->value + root;
}

leman_status lm_plan_new(leman_context *ctx, const lm_program *program, lm_mode mode, lm_plan *plan)
{
    SCRATCH_SCOPE(ctx);
    size_t values = program->values.count, steps = program->steps.count;
    uint32_t *home;
    bool *needed, *rerun;
    *plan = (lm_plan){.ctx = ctx, .program = program, .mode = mode};
    PASS_NEW(ctx, plan->event, 3 * steps);
    PASS_NEW(ctx, plan->value, 3 * values);
    plan->again = plan->value + values;
    plan->gradient = plan->again + values;
    for (size_t i = 0; i < 3 * values; i++) plan->value[i] = (lm_piece){SIZE_MAX, SIZE_MAX, 0};
    PASS_SCRATCH(ctx, home, values);
    PASS_SCRATCH_ZERO(ctx, needed, values);
    PASS_SCRATCH(ctx, rerun, steps);
    find_homes(plan, home);
    list_events(plan, home, needed, rerun);
    find_lifetimes(plan, home);
    return LEMAN_OK;
}

void lm_plan_free(lm_plan *plan)
{
    RELEASE(plan->event, plan->value);
    *plan = (lm_plan){.ctx = plan->ctx};
}

/* ---- Placing --------------------------------------------------------------------------------- */

typedef struct block {
    lm_piece *piece;
    size_t size;
} block;

/* Computes the bytes of a root, rounded up. Returns false if they cannot be addressed. */
static bool bytes_of(const lm_backend *backend, const lm_value *value, const lm_extent *max, size_t *bytes)
{
    size_t size;
    if (!lm_multiply(max->rows[value->space], lm_backend_stride(backend, value), &size)) return false;
    if (!lm_multiply(size, backend->number_bytes(backend, value->space), &size) || !lm_add(size, ALIGNMENT - 1, &size))
        return false;
    *bytes = size - size % ALIGNMENT;
    return true;
}

static bool overlap(const lm_piece *a, const lm_piece *b)
{
    return a->first <= b->last && b->first <= a->last;
}

/* Inserts a block into the list of placed blocks, which is sorted by offset. */
static void put(block *placed, size_t count, block b, bool shares)
{
    size_t at = 0, place = 0;
    for (size_t i = 0; i < count; i++) {
        if (shares && !overlap(placed[i].piece, b.piece)) continue;
        if (placed[i].piece->offset >= at && placed[i].piece->offset - at >= b.size) break;
        size_t end = placed[i].piece->offset + placed[i].size;
        if (end > at) at = end;
    }
    b.piece->offset = at;
    while (place < count && placed[place].piece->offset <= at) place++;
    for (size_t i = count; i > place; i--) placed[i] = placed[i - 1];
    placed[place] = b;
}

leman_status lm_plan_place(lm_plan *plan, const lm_backend *backend, const lm_extent *max, size_t *bytes)
{
    SCRATCH_SCOPE(plan->ctx);
    size_t values = plan->program->values.count, count = 0, total = 0, end = 0;
    char text[LM_EXTENT_TEXT];
    block *open, *placed;
    PASS_SCRATCH(plan->ctx, open, 3 * values);
    PASS_SCRATCH(plan->ctx, placed, 3 * values + 1);
    for (size_t i = 0; i < 3 * values; i++) {
        block b = {plan->value + i, 0};
        if (!wanted(b.piece)) continue;
        bool fits = bytes_of(backend, lm_program_value(plan->program, (uint32_t)(i % values)), max, &b.size);
        if (!fits || !lm_add(total, b.size, &total))
            return lm_fail(plan->ctx, LEMAN_ERROR_BUDGET, "the values of a batch of %s are more than can be addressed",
                           lm_extent_text(max, text));
        size_t at = count++;
        for (; at && open[at - 1].size < b.size; at--) open[at] = open[at - 1]; /* largest first */
        open[at] = b;
    }
    for (size_t i = 0; i < count; i++) {
        put(placed, i, open[i], plan->mode != LM_WHOLE);
        size_t last = open[i].piece->offset + open[i].size;
        if (last > end) end = last;
    }
    *bytes = end;
    return LEMAN_OK;
}
