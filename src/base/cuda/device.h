/*
 * A CUDA device: its memory, its stream, and its first failure.
 *
 * All work of a device goes through one stream, so it is done in the order of the calls, and the host only waits when
 * it reads. Code that opens another stream must join it to this one. Functions that return void (a kernel launch, a
 * copy) store their failure in `status`, with the sentence in the context.
 *
 * The budget of a device is the memory that is free when it is opened, or less if the caller sets a limit. Memory is
 * only allocated within the budget. tests/emulate implements CUDA on the host, so that the same sources run without a
 * device.
 */
#ifndef LM_CUDA_DEVICE_H
#define LM_CUDA_DEVICE_H

#include "leman.h"

enum { LM_DEVICE_NAME = 256, LM_DEVICE_BLOCKS = 64 };

/* An allocation on the device. */
typedef struct lm_device_block {
    void *pointer;
    size_t bytes;
} lm_device_block;

typedef struct lm_device {
    leman_context *ctx;
    leman_status status; /* of the first failure */
    bool recording;      /* calls are being recorded; a failure then only sets `broken` */
    bool broken;
    int number;
    char name[LM_DEVICE_NAME];
    int major, minor; /* compute capability */
    int multiprocessors;
    size_t cache;  /* bytes of the second-level cache */
    size_t memory; /* bytes in total */
    size_t budget, used;
    struct lm_device *beside; /* the same device opened a second time, which shares the budget; NULL if opened once */
    void *stream;             /* cudaStream_t */
    lm_device_block block[LM_DEVICE_BLOCKS];
    size_t blocks;
    /* Called while the host waits for work in which another device takes part. Returns true to end the wait. NULL: not
     * called. */
    bool (*given_up)(void *argument);
    void *given_up_argument;
} lm_device;

/* Returns the number of devices, 0 if there is no driver. */
int lm_device_count(void);
/* Sets the name, memory and compute capability in *out, without opening the device. */
leman_status lm_device_describe(leman_context *ctx, int number, lm_device *out);
/* Opens a device with a budget in bytes; 0 means all free memory. Fails with LEMAN_ERROR_DEVICE and a sentence if the
 * device does not exist or is too old. */
leman_status lm_device_open(leman_context *ctx, int number, size_t budget, lm_device *out);
void lm_device_close(lm_device *device);
/* For one device that was opened twice: `device` and `with` together keep to the budget of `with` until one is
 * closed. */
void lm_device_share(lm_device *device, lm_device *with);

/* Returns the bytes that may still be allocated. */
size_t lm_device_left(const lm_device *device);
/* Allocates memory that is set to zero. */
leman_status lm_device_allocate(lm_device *device, size_t bytes, void **out);
void lm_device_release(lm_device *device, void *pointer);
/* Allocates pinned memory of the host, from which a device copies while the host continues. */
leman_status lm_device_pin(lm_device *device, size_t bytes, void **out);
void lm_device_unpin(lm_device *device, void *pointer);

void lm_device_write(lm_device *device, void *to, const void *from, size_t bytes);
void lm_device_read(lm_device *device, void *to, const void *from, size_t bytes); /* waits for the bytes */
void lm_device_copy(lm_device *device, void *to, const void *from, size_t bytes); /* on the device */
void lm_device_clear(lm_device *device, void *to, size_t bytes);
void lm_device_wait(lm_device *device);
/* Waits until the work before this cudaEvent_t is done. */
void lm_device_wait_event(lm_device *device, void *event);

/* Records a failure. Returns true if it is the first one, for which the caller then sets the sentence. While a step is
 * recorded, it only breaks the recording, and the function returns false. */
bool lm_device_failed(lm_device *device);
/* Stores a failure in `status` and sets the sentence, unless code is cudaSuccess or there was an earlier failure.
 * `code` is a cudaError_t; `what` says what was tried: "copying to the device". */
void lm_device_result(lm_device *device, int code, const char *what);
/* Checks for a failure after the launch of a kernel. */
void lm_device_launched(lm_device *device, const char *kernel);

#endif
