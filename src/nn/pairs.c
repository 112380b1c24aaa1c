/*
 * Pair networks (Zhang et al., ICLR 2024): h[u,v] is a row for every ordered pair of vertices.
 *
 *   h0[u,v] = A[label(v)] + D[min(distance(u,v), L)]                     and linear maps of attributes, walks and
 *                                                                        resistances (pair_reals.h), if there are any
 *   h'[u,v] = ReLU( norm( sum over the parts p of M_p( (1+e_p) h[u,v] + S_p ) ) )
 *   x[u]    = ReLU( norm( M_0( sum over v of h[u,v] ) ) ),   graph = mean over u of x[u],   two linear maps, d -> 2d -> outputs
 *             predictions of vertices: two linear maps of x[u]; of undirected edges: of h[u,v] + h[v,u]
 *
 * M is a linear map, a norm, ReLU, and a linear map; both maps have no bias. The sums S_p that a layer can have, with
 * the component that moves, 1 (u) or 2 (v), in their names:
 *
 *   local1     sum over w in N(u) of ReLU( B h[w,v] + b + E[uw] )         B, b and the table E are the part's own
 *   local2     sum over w in N(v) of ReLU( B h[u,w] + b + E[wv] )
 *   folklore1  sum over w in N(u) of ReLU( B h[w,v] + b + C h[u,w] + c + E[uw] )    B, b, C, c are one for both parts
 *   folklore2  sum over w in N(v) of ReLU( B h[u,w] + b + C h[w,v] + c + E[wv] )
 *   global1    sum over all w of h[w,v],    global2    sum over all w of h[u,w]
 *   diagonal1  h[v,v],                      diagonal2  h[u,u]
 *
 * A network is its list of parts. Message passing of the same recipe is the network of local2 without D. There h[u,v] is
 * the same for every u, so the network has one row for each vertex:
 *
 *   h'[v] is made from the h[w] of all w in N(v);   graph = ReLU( norm( M_0( sum over v of h[v] ) ) )
 *
 * Its norms count each vertex once; on pairs they would count it once for every u. Its weights are named after local1,
 * the part whose first component moves, since a vertex has one component.
 *
 * On a sparse set of pairs, that of connected ones, h[w,v] and h[u,w] exist only for the pairs of the set.
 *
 * All B of a layer are one linear map, and so are all norms and all second maps of M: they stand side by side in one
 * weight. C is applied to the pairs that are edges alone. O(n^2 d^2 + n m d) for each layer.
 */
#include "nn/layers.h"
#include <stdio.h>

enum { LAYERS = 6, PARTS = 8, EPOCHS = 400, BATCH = 128, PATIENCE = 20 };

typedef enum part_kind { LOCAL, FOLKLORE, GLOBAL, DIAGONAL } part_kind;

/* The parts in the order of their bits in leman_architecture.layer_parts. */
static const struct part {
    const char *name;
    part_kind kind;
    size_t position; /* of the component that moves, from 0 */
} PART[PARTS] = {{"local1", LOCAL, 0},       {"local2", LOCAL, 1},      {"folklore1", FOLKLORE, 0},
                 {"folklore2", FOLKLORE, 1}, {"global1", GLOBAL, 0},    {"global2", GLOBAL, 1},
                 {"diagonal1", DIAGONAL, 0}, {"diagonal2", DIAGONAL, 1}};

const char *leman_layer_part_name(size_t i)
{
    return i < PARTS ? PART[i].name : NULL;
}

static unsigned parts_of(const lm_building *b)
{
    return b->shape->layer_parts ? b->shape->layer_parts : b->model->layer_parts;
}

/* ---- Input ----------------------------------------------------------------------------------- */

static uint32_t added(lm_program *p, uint32_t x, uint32_t y)
{
    return x == LM_NONE ? y : lm_program_add(p, x, y, LM_IDENTITY);
}

/* The sum of a row for each label and a linear map of the reals of vertices. */
static uint32_t vertex_input(lm_building *b)
{
    lm_program *p = b->p;
    const lm_widths *w = b->widths;
    const size_t width = b->shape->width;
    uint32_t x = LM_NONE;
    if (w->types && (!w->vertex_reals || w->attributes))
        x = lm_program_embed(p, LM_INDEX_VERTEX_TYPE, 0, lm_embedding_new(p, "vertex", w->types, width));
    if (!w->vertex_reals) return x;
    const uint32_t reals = lm_program_input(p, LM_FROM_VERTEX_ATTRIBUTES, w->vertex_reals);
    return added(p, x, lm_program_linear(p, reals, lm_linear_new(p, "vertex", w->vertex_reals, width), LM_IDENTITY));
}

static uint32_t pair_input(lm_building *b)
{
    lm_program *p = b->p;
    const lm_widths *w = b->widths;
    const size_t width = b->shape->width;
    lm_program_enter(p, "input");
    uint32_t second[2] = {LM_NONE, LM_NONE}; /* the first vertex enters by its distance alone */
    second[1] = vertex_input(b);
    uint32_t h = lm_layers_spread(b, second, LM_NONE, LM_IDENTITY);
    if (w->distances)
        h = added(p, h,
                  lm_program_embed(p, lm_is_sparse(b) ? LM_INDEX_LISTED_TYPE : LM_INDEX_COUNT, 0,
                                   lm_embedding_new(p, "distance", w->distances, width)));
    if (w->tuple_reals) {
        const uint32_t reals = lm_layers_reals(b);
        h = added(p, h, lm_program_linear(p, reals, lm_linear_new(p, "pair", w->tuple_reals, width), LM_IDENTITY));
    }
    lm_program_leave(p);
    return h;
}

static uint32_t message_input(lm_building *b)
{
    lm_program_enter(b->p, "input");
    const uint32_t x = vertex_input(b);
    lm_program_leave(b->p);
    return x;
}

static bool reads_pairs(const lm_widths *w)
{
    return (w->types || w->vertex_reals) && (w->labels || w->arc_reals);
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* A linear map without a bias, called "NAME.weight"; `maps` of them side by side for a joined input. */
static lm_linear plain_map(lm_program *p, const char *name, size_t width, size_t maps)
{
    lm_program_enter(p, "%s", name);
    const lm_linear map = lm_map_new(p, "weight", width, maps * width, width);
    lm_program_leave(p);
    return map;
}

static uint32_t first_map(lm_program *p, uint32_t z, size_t width)
{
    return lm_program_linear(p, z, plain_map(p, "linear1", width, 1), LM_IDENTITY);
}

/* What follows the first maps of all M, whose results stand side by side. */
static uint32_t second_half(lm_program *p, uint32_t z, size_t width, size_t maps)
{
    z = lm_program_norm(p, z, lm_norm_new(p, "norm1", maps * width), LM_RELU);
    z = lm_program_linear(p, z, plain_map(p, "linear2", width, maps), LM_IDENTITY);
    return lm_program_norm(p, z, lm_norm_new(p, "norm", width), LM_RELU);
}

/* What the local parts send: one linear map whose columns are B h + b of each of them, in the order of the parts. */
static void send(const lm_building *b, uint32_t h, uint32_t sent[PARTS])
{
    lm_program *p = b->p;
    const size_t width = b->shape->width;
    const unsigned parts = parts_of(b);
    size_t maps = 0, at = 0;
    for (size_t i = 0; i < PARTS; i++) maps += (parts >> i & 1) && PART[i].kind == LOCAL;
    if (!maps) return;
    const lm_linear map = lm_linear_new(p, "message", width, maps * width);
    const uint32_t all = lm_program_linear(p, h, map, LM_IDENTITY);
    for (size_t i = 0; i < PARTS; i++)
        if ((parts >> i & 1) && PART[i].kind == LOCAL) sent[i] = lm_program_columns(p, all, at++ * width, width);
}

/* What the folklore parts send, B h + b, and the map C of the pairs that are edges. */
static lm_linear send_folklore(const lm_building *b, uint32_t h, uint32_t sent[PARTS])
{
    lm_program *p = b->p;
    const size_t width = b->shape->width;
    lm_linear edge = {LM_NONE, LM_NONE};
    uint32_t moved = LM_NONE;
    for (size_t i = 0; i < PARTS; i++) {
        if (!(parts_of(b) >> i & 1) || PART[i].kind != FOLKLORE) continue;
        if (moved == LM_NONE) {
            moved = lm_program_linear(p, h, lm_linear_new(p, "moved", width, width), LM_IDENTITY);
            edge = lm_linear_new(p, "edge", width, width);
        }
        sent[i] = moved;
    }
    return edge;
}

/* The rows of edges that a part adds to what it sends: a row for each label, a linear map of the reals of arcs, and of
 * folklore parts C applied to the pairs that are edges. A message from w goes along the arc from the component that
 * moves to w: the pair of folklore2 is that of the arc swapped. With entering arcs it is the other way round. */
static uint32_t edges_of(const lm_building *b, const struct part *part, uint32_t h, lm_linear edge, bool entering)
{
    lm_program *p = b->p;
    const size_t width = b->shape->width, reals = b->widths->arc_reals, labels = b->widths->labels;
    const bool rows = part->kind == FOLKLORE || reals || lm_is_sparse(b); /* a row for each arc */
    uint32_t e = LM_NONE;
    if (part->kind == FOLKLORE)
        e = lm_program_linear(p, lm_program_gather(p, h, part->position != entering), edge, LM_IDENTITY);
    if (reals)
        e = added(p, e,
                  lm_program_linear(p, lm_program_input(p, LM_FROM_ARC_ATTRIBUTES, reals),
                                    lm_linear_new(p, "reals", reals, width), LM_IDENTITY));
    if (!labels) return e;
    const uint32_t table = lm_embedding_new(p, "labels", labels, width);
    return added(p, e, lm_program_embed(p, rows ? LM_INDEX_ARC_LABEL : LM_INDEX_LABEL, 0, table));
}

/* (1+e) h + S of a part over the pairs of a sparse set. Every part exists there: with (u, v), the set has (v, v), and the
 * pairs of all arcs. */
static uint32_t sparse_sum_of(const lm_building *b, const struct part *part, uint32_t h, uint32_t sent, lm_linear edge)
{
    lm_program *p = b->p;
    const size_t other = 1 - part->position;
    lm_listed_sum every = {.own = h, .list = other, .epsilon = lm_epsilon_new(p, "epsilon"), .bias = LM_NONE};
    lm_linked_sum sum = {.own = h, .sent = sent, .list = part->position, .epsilon = every.epsilon};
    const lm_listed_sum diagonal = {.own = LM_NONE, .sent = h, .list = 2, .epsilon = LM_NONE, .bias = LM_NONE};
    if (part->kind == GLOBAL || part->kind == DIAGONAL) {
        every.sent =
            part->kind == GLOBAL ? lm_program_collect(p, h, other) : lm_program_listed(p, LM_VERTICES, &diagonal);
        return lm_program_listed(p, LM_LISTED, &every);
    }
    sum.edges = edges_of(b, part, h, edge, false);
    sum.own = lm_program_linked(p, LM_LISTED, &sum);
    if (!b->shape->in_arcs) return sum.own;
    lm_program_enter(p, "entering");
    sum.edges = edges_of(b, part, h, edge, true);
    sum.list += 2;
    sum.epsilon = LM_NONE;
    const uint32_t z = lm_program_linked(p, LM_LISTED, &sum);
    lm_program_leave(p);
    return z;
}

/* (1+e) h + S of a part. If entering arcs are a second relation, their messages are added, with rows of edges of their
 * own. */
static uint32_t sum_of(const lm_building *b, const struct part *part, uint32_t h, uint32_t sent, lm_linear edge)
{
    static const lm_neighborhood OVER[] = {
        [LOCAL] = LM_LEAVING, [FOLKLORE] = LM_LEAVING, [GLOBAL] = LM_LINE, [DIAGONAL] = LM_OPPOSITE};
    if (lm_is_sparse(b)) return sparse_sum_of(b, part, h, sent, edge);
    lm_sum sum = lm_sum_default(OVER[part->kind], part->position, lm_epsilon_new(b->p, "epsilon"));
    if (part->kind == GLOBAL || part->kind == DIAGONAL) return lm_program_sum(b->p, h, &sum);
    sum.sent = sent;
    uint32_t z = lm_program_messages(b->p, h, edges_of(b, part, h, edge, false), sum);
    if (!b->shape->in_arcs) return z;
    lm_program_enter(b->p, "entering");
    sum = lm_sum_default(LM_ENTERING, part->position, LM_NONE);
    sum.sent = sent;
    z = lm_program_messages(b->p, z, edges_of(b, part, h, edge, true), sum);
    lm_program_leave(b->p);
    return z;
}

static uint32_t pair_layer(lm_building *b, size_t number, uint32_t h)
{
    lm_program *p = b->p;
    const size_t width = b->shape->width;
    const unsigned parts = parts_of(b);
    uint32_t sent[PARTS], mapped[PARTS];
    size_t count = 0;
    (void)number;
    for (size_t i = 0; i < PARTS; i++) sent[i] = LM_NONE;
    send(b, h, sent);
    const lm_linear edge = send_folklore(b, h, sent);
    for (size_t i = 0; i < PARTS; i++) {
        if (!(parts >> i & 1)) continue;
        lm_program_enter(p, "%s", PART[i].name);
        mapped[count++] = first_map(p, sum_of(b, PART + i, h, sent[i], edge), width);
        lm_program_leave(p);
    }
    return second_half(p, lm_program_join(p, mapped, count), width, count);
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* ReLU( norm( M_0( sums ) ) ) */
static uint32_t read_out(const lm_building *b, uint32_t sums)
{
    lm_program *p = b->p;
    const size_t width = b->shape->width;
    lm_program_enter(p, "readout");
    lm_epsilon_new(p, "epsilon"); /* no step uses it: the published networks have this weight, so that counts agree */
    const uint32_t x = second_half(p, first_map(p, sums, width), width, 1);
    lm_program_leave(p);
    return x;
}

/* x[u], which predictions of vertices are made from. */
static uint32_t pair_vertices(const lm_building *b, const uint32_t *layers)
{
    const uint32_t h = layers[b->shape->layers - 1];
    return read_out(b, b->shape->k > 1 ? lm_program_collect(b->p, h, 0) : h);
}

/* Of message passing, whose h[u,v] would be h[v] for every u, all x[u] of a graph are one. */
static uint32_t pair_readout(const lm_building *b, const uint32_t *layers)
{
    if (b->shape->k == 1) return read_out(b, lm_program_pool(b->p, layers[b->shape->layers - 1], false));
    return lm_program_pool(b->p, pair_vertices(b, layers), true);
}

/* ---- Rows of the table ----------------------------------------------------------------------- */

enum {
    LOCAL_PARTS = LEMAN_LAYER_PART_LOCAL1 | LEMAN_LAYER_PART_LOCAL2,
    FOLKLORE_PARTS = LEMAN_LAYER_PART_FOLKLORE1 | LEMAN_LAYER_PART_FOLKLORE2
};

#define RECIPE                                                                                                         \
    .layer = pair_layer, .readout = pair_readout, .vertices = pair_vertices, .reads = reads_pairs,                     \
    .variant = LEMAN_ALGORITHM_LOCAL, .layers = LAYERS, .maps = 2, .wide_head = true, .epochs = EPOCHS,                \
    .batch_size = BATCH, .patience = PATIENCE, .learning_rate = 1e-3, .unscaled = true
#define PAIRS RECIPE, .input = pair_input, .k = 2, .pairs = true

const lm_architecture_row lm_model_local2 = {"local2",        "Local-2-GNN",
                                             {"Local-2-GNN"}, PAIRS,
                                             .width = 96,     .layer_parts = LOCAL_PARTS | LEMAN_LAYER_PART_GLOBAL1};
const lm_architecture_row lm_model_folklore2 = {
    "folklore2", "Local-2-FGNN", {"Local-2-FGNN"},
    PAIRS,       .width = 96,    .layer_parts = FOLKLORE_PARTS | LEMAN_LAYER_PART_GLOBAL1};
const lm_architecture_row lm_model_subgraph = {
    "subgraph", "Subgraph-GNN", {"Subgraph-GNN"},
    PAIRS,      .width = 120,   .layer_parts = LEMAN_LAYER_PART_LOCAL2 | LEMAN_LAYER_PART_GLOBAL2};
const lm_architecture_row lm_model_sswl_plus = {
    "sswl+", "SSWL+", {"SSWL+"}, PAIRS, .width = 96, .layer_parts = LOCAL_PARTS | LEMAN_LAYER_PART_DIAGONAL1};
const lm_architecture_row lm_model_message = {
    "message",     "Message-Passing",      {"Message-Passing"},
    RECIPE,        .input = message_input, .k = 1,
    .edges = true, .width = 150,           .layer_parts = LEMAN_LAYER_PART_LOCAL1};
