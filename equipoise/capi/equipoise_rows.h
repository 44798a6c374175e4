#ifndef EQUIPOISE_ROWS_H
#define EQUIPOISE_ROWS_H
/* Rows that move within memory that the caller owns: arrays with room for more rows than they hold,
 * with or without gaps between the rows, on the host or on a device. What equipoise.h says of its
 * functions holds for these, too. docs/how-to/balancer-memory.md has examples. */

#include <equipoise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to reach rows, one every `stride` bytes, that the library itself must not touch. Rows are
 * packed one after the other, `row_bytes` each, into buffers from `allocate`. Functions return 0
 * unless they fail.
 *
 * `pack` and `unpack` may return before their work is done, if work that is begun later on the same
 * stream waits for it, and `synchronise` for all of it. The places, from 0, are in host memory and
 * stay as they are until the next `synchronise`.
 *
 * If `pack` or `allocate` fails, all ranks get the same error, and all rows are where they were.
 * `unpack` is called when rows have left: if it fails (or its `synchronise`), this rank's rows are
 * lost, and all ranks get the same error (EQUIPOISE_CALLBACK_FAILED) once the messages have
 * arrived. What it needs should be taken in `allocate`, or before the call.
 *
 * Make it with EQUIPOISE_DEVICE_INIT. */
typedef struct equipoise_device {
    size_t struct_bytes; /* sizeof(equipoise_device) where the caller was compiled */
    void* stream;        /* handed to all functions as it is: a stream, a queue, a context */
    /* packed[i] = rows[places[i]], row by row. */
    int (*pack)(void* stream, const void* rows, size_t stride, size_t row_bytes,
                const int64_t* places, size_t count, void* packed);
    /* rows[places[i]] = packed[i], row by row. No place comes twice. */
    int (*unpack)(void* stream, const void* packed, const int64_t* places, size_t count, void* rows,
                  size_t stride, size_t row_bytes);
    /* A buffer of this many bytes, at least 1, that pack, unpack and MPI can read and write: memory
     * of the device if MPI is aware of it, otherwise pinned host memory; NULL: there is none left.
     * Without this function: ordinary host memory. */
    void* (*allocate)(void* stream, size_t bytes);
    void (*release)(void* stream, void* buffer);
    /* Waits until all work on the stream is done; NULL if pack and unpack return afterwards. */
    int (*synchronise)(void* stream);
    /* No call has more places than this; a code may keep a list of as many on its device. */
    size_t places_max;
} equipoise_device;

#define EQUIPOISE_DEVICE_INIT \
    { sizeof(equipoise_device), NULL, NULL, NULL, NULL, NULL, NULL, (size_t)1 << 20 }

/* An array of the caller. Its first rows are this rank's items, or a part of each of them. */
typedef struct equipoise_rows {
    void* data;       /* where row 0 begins; NULL only if there is no room */
    int64_t held;     /* how many rows there are */
    int64_t room;     /* how many there may be, at least `held` */
    size_t row_bytes; /* of each row, at least 1; the same on all ranks */
    size_t stride;    /* from one row to the next in bytes; 0: row_bytes. What lies between is left
                         alone */
    const equipoise_device* device; /* NULL: memory of the host; given on all ranks or on none */
} equipoise_rows;

/* Levels the rows of `count` arrays that hold as many rows as each other, so that they stay
 * together, and sets `held` of each. With too little room on a rank all ranks get
 * EQUIPOISE_BAD_INPUT, unless options->items_max says how much there is. Weights do not move,
 * unless they are one of the arrays. Of the options all but reallocate and packing count. Memory:
 * the rows that leave and arrive. */
int equipoise_rebalance_rows(MPI_Comm comm, equipoise_rows* rows, size_t count,
                             const equipoise_options* options, equipoise_report* report);

/* The same by a plan: `rows` hold the planned number of rows, and afterwards the first
 * equipoise_plan_size_after rows of each are this rank's. */
int equipoise_plan_execute_rows(const equipoise_plan* plan, const equipoise_rows* rows,
                                size_t count, equipoise_report* report);
/* Begins to move; `rows` is copied, but the arrays and devices must be left alone until
 * equipoise_end. */
int equipoise_plan_begin_rows(const equipoise_plan* plan, const equipoise_rows* rows, size_t count,
                              equipoise_moving** moving);

#ifdef __cplusplus
}
#endif

#endif
