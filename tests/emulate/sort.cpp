/* refine/cuda/sort.cu on the host: the functions of the standard library. */
#include "refine/cuda/colors.h"
#include <algorithm>
#include <vector>

size_t lm_gpu_sort_bytes(uint64_t)
{
    return 64;
}

int lm_gpu_sort(lm_device *device, const lm_gpu_batch *b)
{
    std::vector<uint32_t> order(b->all.orbits);
    if (device->status) return 0;
    lm_device_wait(device);
    for (uint64_t i = 0; i < b->all.orbits; i++) order[i] = (uint32_t)i;
    std::stable_sort(order.begin(), order.end(), [=](uint32_t x, uint32_t y) { return b->key[0][x] < b->key[0][y]; });
    for (uint64_t i = 0; i < b->all.orbits; i++) {
        b->key[1][i] = b->key[0][order[i]];
        b->number[1][i] = b->number[0][order[i]];
    }
    return 1;
}

uint64_t lm_gpu_select(lm_device *device, const lm_gpu_batch *b, const uint8_t *flag, uint32_t *place)
{
    uint64_t selected = 0;
    lm_device_wait(device);
    for (uint64_t i = 0; i < b->all.orbits && !device->status; i++)
        if (flag[i]) place[selected++] = (uint32_t)i;
    return selected;
}
