/*
 * Copies of many pieces at once: the weights of a caller, each in memory of its own. One kernel copies up to MOST
 * pieces, whose addresses are its arguments.
 */
#include "nn/cuda/rows.h"

enum { THREADS = 256, MOST = 64, MOST_BLOCKS = 16 /* of a piece */ };

struct pieces {
    lm_piece_copy at[MOST];
};

static __global__ void copy_pieces(const LM_GRID_CONSTANT pieces p)
{
    const lm_piece_copy piece = p.at[blockIdx.y];
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < piece.count; i += (size_t)gridDim.x * THREADS)
        piece.to[i] = piece.from[i];
}

void lm_cuda_copy_pieces(lm_backend *backend, const lm_piece_copy *copies, size_t count)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    for (size_t first = 0; first < count; first += MOST) {
        const size_t some = count - first < MOST ? count - first : (size_t)MOST;
        pieces p = {};
        size_t largest = 1;
        for (size_t i = 0; i < some; i++) {
            p.at[i] = copies[first + i];
            if (p.at[i].count > largest) largest = p.at[i].count;
        }
        const size_t wanted = (largest + THREADS - 1) / THREADS;
        const dim3 grid((unsigned)(wanted < MOST_BLOCKS ? wanted : (size_t)MOST_BLOCKS), (unsigned)some);
        LM_LAUNCH(copy_pieces, grid, dim3(THREADS), cuda->device.stream, p);
    }
    lm_device_launched(&cuda->device, "copying weights");
    backend->status = cuda->device.status;
}
