/* Sorting and selecting on a CUDA device: CUB's stable radix sort and its selection by flags. */
#include "base/cuda/kernel.h"
#include "refine/cuda/colors.h"
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>

typedef thrust::counting_iterator<uint32_t> numbers;

size_t lm_gpu_sort_bytes(uint64_t count)
{
    cub::DoubleBuffer<uint64_t> keys(nullptr, nullptr);
    cub::DoubleBuffer<uint32_t> values(nullptr, nullptr);
    size_t sort = 0, select = 0;
    cub::DeviceRadixSort::SortPairs(nullptr, sort, keys, values, count);
    cub::DeviceSelect::Flagged(nullptr, select, numbers(0), (const uint8_t *)nullptr, (uint32_t *)nullptr,
                               (uint64_t *)nullptr, (int64_t)count);
    return sort > select ? sort : select;
}

int lm_gpu_sort(lm_device *device, const lm_gpu_batch *b)
{
    cub::DoubleBuffer<uint64_t> keys(b->key[0], b->key[1]);
    cub::DoubleBuffer<uint32_t> values(b->number[0], b->number[1]);
    size_t bytes = b->temporary_bytes;
    if (device->status) return 0;
    lm_device_result(device,
                     (int)cub::DeviceRadixSort::SortPairs(b->temporary, bytes, keys, values, b->all.orbits, 0, 64,
                                                          (cudaStream_t)device->stream),
                     "sorting colours");
    return keys.selector; /* that of the values is the same */
}

uint64_t lm_gpu_select(lm_device *device, const lm_gpu_batch *b, const uint8_t *flag, uint32_t *place)
{
    size_t bytes = b->temporary_bytes;
    uint64_t selected = 0;
    if (device->status) return 0;
    lm_device_result(device,
                     (int)cub::DeviceSelect::Flagged(b->temporary, bytes, numbers(0), flag, place, b->totals,
                                                     (int64_t)b->all.orbits, (cudaStream_t)device->stream),
                     "listing classes");
    lm_device_read(device, &selected, b->totals, sizeof selected);
    return device->status ? 0 : selected;
}
