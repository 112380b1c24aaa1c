/* Products of the emulation, by the definition; nn/cuda/product.c is the real one. */
#include "emulate.h"
extern "C" {
#include "base/context.h"
#include "nn/cuda/cuda.h"
}
#include <string.h>

leman_status lm_cuda_products_new(lm_cuda *cuda)
{
    (void)cuda;
    return LEMAN_OK;
}

void lm_cuda_products_free(lm_cuda *cuda)
{
    (void)cuda;
}

static double number_at(const void *data, size_t i, bool half)
{
    uint16_t word;
    float number;
    if (!half) return (double)((const float *)data)[i];
    memcpy(&word, (const char *)data + i * sizeof word, sizeof word);
    const uint32_t bits = (uint32_t)word << 16;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static void put_number(void *data, size_t i, bool half, double value)
{
    const float number = (float)value;
    uint32_t bits;
    if (!half) {
        ((float *)data)[i] = number;
        return;
    }
    memcpy(&bits, &number, sizeof bits);
    bits += 0x7fffu + (bits >> 16 & 1);
    const uint16_t word = (uint16_t)(bits >> 16);
    memcpy((char *)data + i * sizeof word, &word, sizeof word);
}

static double entry(const lm_cuda_matrix *m, size_t row, size_t column)
{
    const size_t i = m->transposed ? column * m->stride + row : row * m->stride + column;
    return number_at(m->data, i, m->half);
}

static void multiply(const lm_cuda_product &p)
{
    for (size_t r = 0; r < p.m; r++)
        for (size_t c = 0; c < p.n; c++) {
            const size_t at = r * p.c_stride + c;
            double sum = p.add ? number_at(p.c, at, p.c_half) : 0;
            for (size_t i = 0; i < p.k; i++) sum += entry(&p.a, r, i) * entry(&p.b, i, c);
            if (p.bias) sum += number_at(p.bias, c, p.c_half);
            put_number(p.c, at, p.c_half, p.relu && sum < 0 ? 0 : sum);
        }
}

void lm_cuda_multiply(lm_cuda *cuda, const lm_cuda_product *p)
{
    lm_device *device = &cuda->device;
    const lm_cuda_product product = *p;
    if (emulate_broken && lm_device_failed(device))
        device->status = lm_fail(device->ctx, LEMAN_ERROR_DEVICE, "a product of a broken recording");
    emulate_later((cudaStream_t)device->stream, [=] { multiply(product); });
}
