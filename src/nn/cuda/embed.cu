/* Look-up: Y[r] = W[index[r]], and back dW[t] += the sum of dY[r] over the rows of type t. */
#include "nn/cuda/by_type.h"

/* ---- Forward --------------------------------------------------------------------------------- */

template <class T, int V> static __global__ void look_up(view<T> y, const uint32_t *index, const float *table)
{
    FOR_ROWS (r, y.rows) {
        const uint32_t type = index ? index[r] : r;
        FOR_COLUMNS (c, y.width) {
            pack<T, V> p = {};
            if (type != LM_NO_TYPE)
                for (int i = 0; i < V; i++) p.at[i] = table[(size_t)type * y.width + c + i];
            store<T, V>(y.row(r) + c, p);
        }
    }
}

static const uint32_t *index_of(const lm_frame *f)
{
    switch (f->step->index) {
    case LM_INDEX_TUPLE_TYPE: return f->batch->tuple_type;
    case LM_INDEX_COUNT: return f->batch->count + f->step->position * f->out[0].rows;
    case LM_INDEX_VERTEX_TYPE: return f->batch->vertex_type;
    case LM_INDEX_ARC_LABEL: return f->batch->arc_label;
    default: return NULL;
    }
}

void lm_cuda_embed_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const lm_tensor y = f->out[0];
    const bool half = lm_cuda_half(backend, space_of(f, f->step->output[0]));
    if (!y.rows) return;
    with_kind(half, are_wide(half, y), [&](auto k) {
        KIND(k);
        LM_LAUNCH((look_up<T, V>), blocks_of(cuda, y.rows), block_of_rows(), cuda->device.stream, view_of<T>(y),
                  index_of(f), f->weight[0]);
    });
    lm_device_launched(&cuda->device, "looking up");
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* Rows of dY by what they looked up. */
template <class T> struct looked_up {
    view<T> g;
    const uint32_t *index;
    __device__ __forceinline__ uint32_t type(uint32_t r) const
    {
        return index ? index[r] : r;
    }
    __device__ __forceinline__ float number(uint32_t r, uint32_t c) const
    {
        return to_float(g.row(r)[c]);
    }
};

size_t lm_cuda_embed_workspace(const lm_backend *backend, const lm_program *program, const lm_step *step,
                               const lm_extent *max)
{
    const lm_weight *table = lm_program_weight(program, step->weight[0]);
    (void)backend, (void)max;
    return type_parts_bytes(table->rows, table->columns);
}

void lm_cuda_embed_backward(lm_backend *backend, const lm_frame *f)
{
    const lm_tensor g = f->out_gradient[0];
    const size_t types = lm_program_weight(f->program, f->step->weight[0])->rows;
    with_kind(lm_cuda_half(backend, space_of(f, f->step->output[0])), false, [&](auto k) {
        KIND(k);
        const looked_up<T> source = {view_of<T>(g), index_of(f)};
        add_by_type(lm_cuda_of(backend), source, g.rows, g.width, types, (float *)f->workspace, f->weight_gradient[0]);
        (void)V;
    });
}
