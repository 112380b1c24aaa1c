/*
 * NNConv between vertices. The message along arc a = (u, w) is x_w' T_a with a matrix T_a = V_0 + sum over k of H[a][k]
 * V_k that depends on the arc. A linear map computes Y[w][k] = x_w' V_k once for each vertex. Then
 *
 *   Z[u] = sum or mean over arcs a = (u, w) of Y[w][0] + sum over k of H[a][k] Y[w][k]
 *
 * and no matrix is ever stored for an arc. Y is [vertices][(hidden + 1) * width], H is [arcs][hidden]. With G[u] =
 * dZ[u], divided by the number of u's arcs for the mean,
 *
 *   dH[a][k] = Y[w][k] . G[u];   dY[w][k] = sum over arcs a = (u, w) of H[a][k] G[u], with H[a][0] = 1
 *
 * The arcs of a vertex w are processed in groups, whose rows are gathered for one product with Y[w]. O(arcs * hidden *
 * width).
 */
#include "nn/cpu/cpu.h"
#include <omp.h>
#include <string.h>

enum { GROUP = 32 }; /* arcs that are processed at once */

/* The arcs by the sending vertex, and the starts of the arcs that each vertex receives. */
typedef struct ways {
    lm_arcs sent;
    const uint32_t *received; /* the arcs of u: received[u] .. received[u+1]-1 */
} ways;

static ways ways_of(const lm_frame *f)
{
    return (ways){lm_arcs_sent(f), lm_arcs_received(f).start};
}

static lm_real share_of(const lm_frame *f, const ways *s, uint32_t u)
{
    return f->step->rate > 0 ? 1 / (lm_real)(s->received[u + 1] - s->received[u]) : 1;
}

/* One group: arcs, and copies of their rows. */
typedef struct group {
    uint32_t arc[GROUP], count;
    lm_real *hidden;   /* [GROUP][hidden] H */
    lm_real *message;  /* [GROUP][width] what is sent, or G of the receiver */
    lm_real *gradient; /* [GROUP][hidden] dH */
} group;

static size_t group_size(size_t hidden, size_t width)
{
    return GROUP * (2 * hidden + width);
}

size_t lm_cpu_nnconv_workspace(const lm_backend *backend, const lm_frame *f)
{
    const int threads = ((const lm_cpu *)backend)->threads;
    return (size_t)threads * group_size(f->in[1].width, f->out[0].width) * sizeof(lm_real);
}

/* Returns the buffers of this thread. */
static group group_new(const lm_frame *f)
{
    const size_t hidden = f->in[1].width, width = f->out[0].width;
    group g = {.hidden = (lm_real *)f->workspace + (size_t)omp_get_thread_num() * group_size(hidden, width)};
    g.gradient = g.hidden + GROUP * hidden;
    g.message = g.gradient + GROUP * hidden;
    return g;
}

static void fill_group(const lm_frame *f, const ways *s, uint32_t first, uint32_t end, group *g)
{
    const lm_tensor h = f->in[1];
    g->count = end - first < GROUP ? end - first : GROUP;
    for (uint32_t i = 0; i < g->count; i++) {
        g->arc[i] = lm_arc(&s->sent, first + i);
        memcpy(g->hidden + i * h.width, lm_row(&h, g->arc[i]), h.width * sizeof *h.data);
    }
}

/* ---- Forward --------------------------------------------------------------------------------- */

static void send(const lm_frame *f, const ways *s, size_t w, group *g)
{
    const lm_tensor y = f->in[0], h = f->in[1], z = f->out[0];
    const lm_real *own = lm_row(&y, w);
    for (uint32_t first = s->sent.start[w]; first < s->sent.start[w + 1]; first += GROUP) {
        fill_group(f, s, first, s->sent.start[w + 1], g);
        lm_cpu_product(g->count, z.width, h.width, (lm_matrix){g->hidden, h.width, false},
                       (lm_matrix){own + z.width, z.width, false}, false, g->message, z.width);
        for (uint32_t i = 0; i < g->count; i++) {
            const uint32_t u = s->sent.other[g->arc[i]];
            const lm_real share = share_of(f, s, u);
            lm_add_scaled(lm_row(&z, u), g->message + i * z.width, z.width, share);
            lm_add_scaled(lm_row(&z, u), own, z.width, share);
        }
    }
}

/* Threads process whole graphs, so every sum runs over the senders in their order. */
void lm_cpu_nnconv_forward(lm_backend *backend, const lm_frame *f)
{
    const int threads = lm_cpu_of(backend)->threads;
    const lm_tensor z = f->out[0];
    const ways s = ways_of(f);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (z.rows > LM_COLUMN_BLOCK)
    for (size_t graph = 0; graph < f->batch->extent.rows[LM_GRAPHS]; graph++) {
        const size_t first = f->batch->start[LM_VERTICES][graph], end = f->batch->start[LM_VERTICES][graph + 1];
        group g = group_new(f);
        for (size_t u = first; u < end; u++) memset(lm_row(&z, u), 0, z.width * sizeof *z.data);
        for (size_t w = first; w < end; w++) send(f, &s, w, &g);
    }
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* Computes dY of a sender and dH of its arcs. */
static void go_back(const lm_frame *f, const ways *s, size_t w, group *g)
{
    const lm_tensor y = f->in[0], gy = f->in_gradient[0], gh = f->in_gradient[1], gz = f->out_gradient[0];
    const size_t width = gz.width, hidden = f->in[1].width;
    if (gy.data && !f->add[0]) memset(lm_row(&gy, w), 0, gy.width * sizeof *gy.data);
    for (uint32_t first = s->sent.start[w]; first < s->sent.start[w + 1]; first += GROUP) {
        fill_group(f, s, first, s->sent.start[w + 1], g);
        memset(g->message, 0, g->count * width * sizeof *g->message);
        for (uint32_t i = 0; i < g->count; i++) {
            const uint32_t u = s->sent.other[g->arc[i]];
            lm_add_scaled(g->message + i * width, lm_row(&gz, u), width, share_of(f, s, u));
            if (gy.data) lm_cpu_put(lm_row(&gy, w), g->message + i * width, width, true);
        }
        const lm_matrix gradient = {g->message, width, false};
        if (gy.data)
            lm_cpu_product(hidden, width, g->count, (lm_matrix){g->hidden, hidden, true}, gradient, true,
                           lm_row(&gy, w) + width, width);
        if (!gh.data) continue;
        lm_cpu_product(g->count, hidden, width, gradient, (lm_matrix){lm_row(&y, w) + width, width, true}, false,
                       g->gradient, hidden);
        for (uint32_t i = 0; i < g->count; i++)
            lm_cpu_put(lm_row(&gh, g->arc[i]), g->gradient + i * hidden, hidden, f->add[1]);
    }
}

void lm_cpu_nnconv_backward(lm_backend *backend, const lm_frame *f)
{
    const int threads = lm_cpu_of(backend)->threads;
    const ways s = ways_of(f);
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads) if (f->in[0].rows > LM_COLUMN_BLOCK)
    for (size_t w = 0; w < f->in[0].rows; w++) {
        group g = group_new(f);
        go_back(f, &s, w, &g);
    }
}
