/*
 * A CUDA device: its memory, its stream, and the first thing that went wrong on it.
 *
 * All work of a device goes through one stream, so it is done in the order in which it was asked for, and the host only
 * waits where it reads. Who opens another stream joins it to this one. Calls that cannot fail as statements (a kernel,
 * a copy) leave their failure in `status`, with the sentence in the context.
 *
 * The budget of a device is what is free on it when it is opened, or what the caller allows; memory is asked for only
 * within it. tests/emulate has a CUDA of its own, on the host: the same sources run in it without a device.
 */
#ifndef LM_CUDA_DEVICE_H
#define LM_CUDA_DEVICE_H

#include "leman.h"

enum { LM_DEVICE_NAME = 256, LM_DEVICE_BLOCKS = 64 };

/* An allocation. */
typedef struct lm_device_block {
    void *pointer;
    size_t bytes;
} lm_device_block;

typedef struct lm_device {
    leman_context *ctx;
    leman_status status; /* the first failure */
    bool recording;      /* what is asked for is recorded; a failure then only breaks the recording */
    bool broken;
    int number;
    char name[LM_DEVICE_NAME];
    int major, minor; /* compute capability */
    int multiprocessors;
    size_t cache;  /* bytes of the second level */
    size_t memory; /* bytes in all */
    size_t budget, used;
    struct lm_device *beside; /* the same device, opened once more: both share one budget. NULL: opened once */
    void *stream;             /* cudaStream_t */
    lm_device_block block[LM_DEVICE_BLOCKS];
    size_t blocks;
    /* Asked while the host waits for work that another device has a part in: true ends the waiting. NULL: nobody. */
    bool (*given_up)(void *argument);
    void *given_up_argument;
} lm_device;

/* How many there are: 0 where there is no driver. */
int lm_device_count(void);
/* Name, memory and capability of one, without opening it. */
leman_status lm_device_describe(leman_context *ctx, int number, lm_device *out);
/* budget: bytes, 0 for what is free. LEMAN_ERROR_DEVICE with a sentence where there is none, or an old one. */
leman_status lm_device_open(leman_context *ctx, int number, size_t budget, lm_device *out);
void lm_device_close(lm_device *device);
/* One device that is opened twice: from now on both keep to the budget of the second together, until one is closed. */
void lm_device_share(lm_device *device, lm_device *with);

/* Bytes that may still be asked for. */
size_t lm_device_left(const lm_device *device);
/* Memory that holds zeros. */
leman_status lm_device_allocate(lm_device *device, size_t bytes, void **out);
void lm_device_release(lm_device *device, void *pointer);
/* Memory of the host that a device copies from while the host goes on. */
leman_status lm_device_pin(lm_device *device, size_t bytes, void **out);
void lm_device_unpin(lm_device *device, void *pointer);

void lm_device_write(lm_device *device, void *to, const void *from, size_t bytes);
void lm_device_read(lm_device *device, void *to, const void *from, size_t bytes); /* waits */
void lm_device_copy(lm_device *device, void *to, const void *from, size_t bytes); /* on the device */
void lm_device_clear(lm_device *device, void *to, size_t bytes);
void lm_device_wait(lm_device *device);
/* Until the work before this cudaEvent_t is done. */
void lm_device_wait_event(lm_device *device, void *event);

/* Something failed: true where it is the first failure, for the caller to put into words; while a step is recorded it
 * only breaks the recording. */
bool lm_device_failed(lm_device *device);
/* Keeps the first failure; `code` is a cudaError_t, `what` says what was tried: "copying to the device". */
void lm_device_result(lm_device *device, int code, const char *what);
/* After a kernel was launched. */
void lm_device_launched(lm_device *device, const char *kernel);

#endif
