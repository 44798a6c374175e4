#ifndef EQUIPOISE_H
#define EQUIPOISE_H
/* The balancer for MPI programs in C: after one call every rank holds its fair share of the items.
 *
 *     #include <equipoise.h>
 *
 *     particle *particles = ...;  (from malloc)
 *     int64_t count = ...;
 *     int error = equipoise_rebalance(MPI_COMM_WORLD, &particles, &count, sizeof *particles,
 *                                     NULL, NULL);
 *
 * Functions that take a communicator or a plan are collective unless they say otherwise: all ranks
 * call them. An error on one rank is returned on all, with the same code and the same text, and all
 * items are where they were. Nothing prints, exits or throws. docs/how-to/balancer-c-fortran.md has
 * examples, docs/how-to/balancer.md explains policies and guarantees.
 *
 * Threads that call at the same time need a communicator each, and MPI_THREAD_MULTIPLE: several on
 * one communicator would wait for ever (EQUIPOISE_BAD_INPUT, on this rank alone, where that is
 * noticed). */

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---------------------------------------------------------------------------------- */

/* Made from equipoise/balancer/faces.toml by tools/make_faces.py: errors. */
/* What functions return. */
enum {
    EQUIPOISE_OK = 0,
    /* An argument or an option of a rank is wrong. */
    EQUIPOISE_BAD_INPUT = 1,
    /* Ranks passed different things. */
    EQUIPOISE_DIFFERENT_CALLS = 2,
    /* A rank could not get the memory that it needs. */
    EQUIPOISE_NO_MEMORY = 3,
    /* A function of the caller, such as one that packs items, failed. */
    EQUIPOISE_CALLBACK_FAILED = 4,
    /* An MPI call failed, on this rank: call MPI_Abort. */
    EQUIPOISE_MPI_FAILED = 5
};
/* End of what is made. */

/* The error of the last failed call on this thread: one line, the same on every rank, that names
 * the rank where it happened, or all ranks; "" if no call has failed. It stays until another call
 * fails. It is this rank's alone only if there is no rank to agree with: MPI is not running, or the
 * communicator or the plan is null. Not collective. */
const char* equipoise_error_text(void);
/* The lowest rank where it happened; -1 if all ranks pass what is wrong only together (too little
 * room for all items), or if no rank was asked. Not collective. */
int equipoise_error_rank(void);

/* ---- Items with memory of their own ---------------------------------------------------------- */

/* The bytes of an item on its way. */
typedef struct equipoise_writer equipoise_writer;
typedef struct equipoise_reader equipoise_reader;

/* Appends bytes. Returns EQUIPOISE_OK or EQUIPOISE_NO_MEMORY; the call under way then fails, also
 * if `pack` goes on. Not collective. */
int equipoise_write(equipoise_writer* out, const void* bytes, size_t count);
/* Takes the next bytes. Returns EQUIPOISE_OK, or EQUIPOISE_BAD_INPUT if there are fewer; nothing is
 * taken then. Not collective. */
int equipoise_read(equipoise_reader* in, void* bytes, size_t count);
/* How many bytes of the item are left. Not collective. */
size_t equipoise_left(const equipoise_reader* in);

/* How items travel that are more than their bytes. `pack` and `unpack` return 0; if they return
 * anything else on one rank, the call fails on all, and every item is where it was. */
typedef struct equipoise_packing {
    /* Writes everything that belongs to an item. The item stays as it is. */
    int (*pack)(const void* item, equipoise_writer* out, void* context);
    /* Makes an item from the bytes that `pack` wrote, in memory that has its size and no value yet;
     * it must read all of them. If it fails, it must have released what it took. */
    int (*unpack)(void* item, equipoise_reader* in, void* context);
    /* Frees what belongs to an item: one that has left, or one that was unpacked although the call
     * then failed. May be NULL. */
    void (*release)(void* item, void* context);
    void* context; /* passed to all of them */
} equipoise_packing;

/* ---- Options --------------------------------------------------------------------------------- */

/* Policies. */
/* Made from equipoise/balancer/faces.toml by tools/make_faces.py: policies. */
/* No item moves without need. */
#define EQUIPOISE_MINIMUM_MOVES "minimum-moves"
/* The items of all ranks, one after the other, keep their order. With weights: of all ways to cut
   them into consecutive parts, one with the smallest largest load. */
#define EQUIPOISE_KEEP_ORDER "keep-order"
/* Levels real weights of items instead of their number. */
#define EQUIPOISE_WEIGHTED "weighted"
/* Fewest items between machines, then between sockets, then between ranks. */
#define EQUIPOISE_HIERARCHICAL "hierarchical"
/* Items move only between neighbours of the communicator's topology. After
   equipoise_use_neighbours(). */
#define EQUIPOISE_NEIGHBOURS_ONLY "neighbours-only"
/* Random pairs of ranks share evenly: for comparison with the others. */
#define EQUIPOISE_RANDOM_PAIRS "random-pairs"
/* End of what is made. */

/* A colour that lets MPI decide which ranks share a machine or a socket. */
#define EQUIPOISE_ASK_MPI (-INT32_MAX)

/* A rank that has room for any number of items or bytes. */
#define EQUIPOISE_NO_LIMIT (-1)

/* Types of weights. Whole numbers must be ones that a double can equal, as all up to 2^53 are. */
enum { EQUIPOISE_DOUBLE = 0, EQUIPOISE_FLOAT = 1, EQUIPOISE_INT32 = 2, EQUIPOISE_INT64 = 3 };

/* As realloc; with 0 bytes it frees and returns NULL. */
typedef void* equipoise_reallocate(void* memory, size_t bytes, void* context);

/* Made from equipoise/balancer/faces.toml by tools/make_faces.py: options. */
/* What a rank asks for. Make it with EQUIPOISE_OPTIONS_INIT, then set what is to differ. Ranks may
   differ in speed, pinned, items_max, bytes_max, weights and their type, sizes, the values of the
   colours, reallocate and the functions of packing; everything else must be the same on all ranks,
   which is checked, also where nothing has to move. */
typedef struct equipoise_options {
    /* sizeof(equipoise_options) where the caller was compiled. */
    size_t struct_bytes;
    /* Which items go where: minimum-moves, keep-order, weighted, hierarchical, neighbours-only or
       random-pairs; docs/how-to/balancer.md helps to choose. NULL: minimum-moves. */
    const char* policy;
    /* The algorithm of the catalogue that plans, for neighbours-only. NULL: deal-agreement-2. */
    const char* algorithm;
    /* This rank's share is proportional to it; finite, 0 or more; at 0 only pinned items stay (not
       with random-pairs). */
    double speed;
    /* This many items of this rank, the first ones, never move (not with keep-order,
       neighbours-only and random-pairs). */
    int64_t pinned;
    /* What each item of this rank costs, finite, 0 or more; for weighted and keep-order only, given
       on all ranks that have items or on none. Of the type weights_type. */
    const void* weights;
    /* Colour of this rank: ranks with equal numbers share a machine; by default MPI is asked. For
       hierarchical and machines_first; on all ranks or on none. */
    int32_t machine;
    /* The same for the sockets of a machine, where machines are given; for hierarchical only. */
    int32_t socket;
    /* The longest message; longer ones are split. 1 to 2^31 - 1. 0: 2^30. */
    size_t message_bytes_max;
    /* Resizes the arrays that calls replace; NULL: realloc and free do. */
    equipoise_reallocate* reallocate;
    /* Passed to it. */
    void* reallocate_context;
    /* How items travel in equipoise_rebalance; NULL: as bytes. */
    const equipoise_packing* packing;
    /* How many weights each item has (phases, resources), 1 to 64: those of an item stand together,
       item after item. Only with weights. */
    size_t weights_per_item;
    /* The largest load may be (1 + tolerance) times the share, or as near to that as the items
       allow; among such plans, one that moves few items (with keep-order, the fewest, if cuts have
       at most 262,144 places) is chosen. Finite, 0 or more; only with weights. */
    double tolerance;
    /* Size of each item of this rank in bytes, finite, 0 or more; given on all ranks that have
       items or on none. With weighted, the plan then moves few bytes instead of few items; with
       keep-order, they are for bytes_max only. */
    const double* sizes;
    /* Among equally level plans, one that moves few items (bytes, if there are sizes) between
       machines, and only then few in all, is chosen. For weighted and keep-order only. */
    int32_t machines_first;
    /* This rank has room for so many items, and gets no more. By default for any number. For
       minimum-moves, hierarchical, keep-order and weighted only (not with keep-order and
       machines_first, unless weights are given). EQUIPOISE_NO_LIMIT: any number. */
    int64_t items_max;
    /* This rank has room for so many bytes, 0 or more, of items with sizes, and gets no more. By
       default for any number. For weighted and, with weights, keep-order; needs sizes.
       EQUIPOISE_NO_LIMIT: any number. */
    double bytes_max;
    /* The type of weights: EQUIPOISE_DOUBLE, EQUIPOISE_FLOAT, EQUIPOISE_INT32 or EQUIPOISE_INT64.
       The same on all ranks where weights move. */
    int32_t weights_type;
} equipoise_options;

/* clang-format off */
#define EQUIPOISE_OPTIONS_INIT \
    {sizeof(equipoise_options), NULL, NULL, 1, 0, NULL, EQUIPOISE_ASK_MPI, EQUIPOISE_ASK_MPI, \
     0, NULL, NULL, NULL, 1, 0, NULL, 0, EQUIPOISE_NO_LIMIT, EQUIPOISE_NO_LIMIT, \
     EQUIPOISE_DOUBLE}
/* clang-format on */
/* End of what is made. */

/* Lets the policy neighbours-only be used. It is in a library of its own (pkg-config:
 * equipoise-c-neighbours), so that other programs link no algorithms. Once is enough. Not
 * collective. */
void equipoise_use_neighbours(void);

/* ---- Reports --------------------------------------------------------------------------------- */

/* Over ranks. */
typedef struct equipoise_spread {
    int64_t least;
    int64_t most;
    double average;
} equipoise_spread;

typedef struct equipoise_weight_spread {
    double least;
    double most;
    double average;
} equipoise_weight_spread;

/* Made from equipoise/balancer/faces.toml by tools/make_faces.py: report. */
/* What was done; make it with EQUIPOISE_REPORT_INIT. The same on all ranks except for the seconds,
   which are this rank's. */
typedef struct equipoise_report {
    /* sizeof(equipoise_report) where the caller was compiled. */
    size_t struct_bytes;
    /* What was asked for; `given` for plans to given ranks. Lives for ever. */
    const char* policy;
    /* Ranks of the communicator. */
    int64_t ranks;
    /* Items that changed their rank; each hop counts. */
    int64_t moved;
    /* The fewest items that any plan with the same final sizes must move (other final sizes may
       need fewer; a plan that keeps the order may need more); unknown (-1) for weighted. */
    int64_t minimum;
    /* Pairs of ranks (and rounds) between which items moved. */
    int64_t messages;
    /* Rounds of messages; above 1 only for neighbours-only and random-pairs. */
    int64_t rounds;
    /* Those of `moved` that changed their machine. Only for hierarchical and machines_first. */
    int64_t between_machines;
    /* Items per rank, before the move. */
    equipoise_spread before;
    /* Items per rank, after the move. */
    equipoise_spread after;
    /* Weight per rank, before the move; with several weights per item, the largest of a rank's
       weights, each divided by its average. Only with weights. */
    equipoise_weight_spread weight_before;
    /* The same after the move. Only with weights. */
    equipoise_weight_spread weight_after;
    /* Seconds that planning took. */
    double seconds_planning;
    /* Seconds that moving took; 0 before the move. */
    double seconds_moving;
    /* The largest weight per unit of speed (with several weights per item, the largest of all, each
       divided by its average), before the move. Only with weights. */
    double largest_before;
    /* The same after the move. Only with weights. */
    double largest;
    /* A certified lower bound on `largest`: no plan (with keep-order, none that keeps the order)
       has less. Only with weights. */
    double largest_at_least;
    /* A certified lower bound: no plan (with keep-order, none that keeps the order) whose largest
       weight is within the tolerance, or as low as this plan's, moves fewer items. Only with
       weights. */
    int64_t moved_at_least;
    /* Bytes of the items that changed their rank. Only if sizes were given. */
    double bytes_moved;
    /* The same as `moved_at_least`, for bytes. Only if sizes were given. */
    double bytes_at_least;
    /* What was asked for. */
    int64_t weights_per_item;
    /* Whether sizes were given. */
    int32_t by_bytes;
    /* What was asked for. */
    int32_t machines_first;
    /* Whether weights were given. */
    int32_t by_weight;
} equipoise_report;

/* clang-format off */
#define EQUIPOISE_REPORT_INIT \
    {sizeof(equipoise_report), NULL, 0, 0, 0, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, \
     {0, 0, 0}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
/* clang-format on */
/* End of what is made. */

/* ---- One call -------------------------------------------------------------------------------- */

/* Levels the items of all ranks. `items` is the address of the pointer to this rank's items (as in
 * MPI_Alloc_mem), an array of `*count` items of `item_size` bytes from malloc or from
 * options->reallocate; afterwards the pointer is to an array of the new `*count` items (NULL for
 * none), and after an error to one of the same items, which may lie elsewhere. Items are moved as
 * bytes, unless options->packing says how. `options` and `report` may be NULL. Memory: the larger
 * of the old and the new array, and the items that leave or arrive; with packing and
 * neighbours-only the old and the new array. */
int equipoise_rebalance(MPI_Comm comm, void* items, int64_t* count, size_t item_size,
                        const equipoise_options* options, equipoise_report* report);

/* The same by weights, which move with their items. `weights` is the address of the pointer to an
 * array of one of the types of weights: afterwards number i there is that of item i, ready for the
 * next call. Both arrays are replaced, or neither. The policy is weighted, unless options ask for
 * keep-order. Sizes do not move. */
int equipoise_rebalance_weighted(MPI_Comm comm, void* items, void* weights, int64_t* count,
                                 size_t item_size, const equipoise_options* options,
                                 equipoise_report* report);

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Which rank sends how many items to which. It can be executed any number of times, on every array
 * that has the planned size. The communicator must live as long. */
typedef struct equipoise_plan equipoise_plan;

typedef struct equipoise_transfer {
    int from; /* ranks, from 0 */
    int to;
    int64_t items;
} equipoise_transfer;

/* The costs of a step and of a move, as far as the caller knows them; for every figure the largest
 * value that any rank gives counts. */
typedef struct equipoise_costs {
    double seconds_per_item; /* one step's work on one item (or unit of its weight), speed 1 */
    double steps;            /* until the balance is gone, or the next rebalancing */
    double seconds_per_item_moved;
    double seconds_per_message;
} equipoise_costs;

typedef struct equipoise_verdict {
    int worth;            /* 1 if moving pays, else 0; the same on all ranks */
    double seconds_saved; /* by the slowest rank, over all steps */
    double seconds_spent; /* by the rank that sends and receives most */
} equipoise_verdict;

/* Plans for `count` items on this rank. */
int equipoise_plan_make(MPI_Comm comm, int64_t count, const equipoise_options* options,
                        equipoise_plan** plan);
/* The plan by which item i of this rank goes to rank `ranks[i]`, whatever the resulting loads.
 * Items that stay keep their order; those that arrive are appended, in the order of the ranks from
 * which they come and of their places there. Of the options only message_bytes_max counts. */
int equipoise_plan_make_to(MPI_Comm comm, int64_t count, const int* ranks,
                           const equipoise_options* options, equipoise_plan** plan);
/* The same for numbers of 64 bits, none of which is cut. */
int equipoise_plan_make_to64(MPI_Comm comm, int64_t count, const int64_t* ranks,
                             const equipoise_options* options, equipoise_plan** plan);
/* The plan that undoes a plan: every item returns to the rank and the place that it left. */
int equipoise_plan_inverse(const equipoise_plan* plan, equipoise_plan** inverse);
/* Frees a plan and sets the pointer to NULL; does nothing for NULL. Not collective. */
void equipoise_plan_free(equipoise_plan** plan);

/* How many items this rank has before and after. Not collective. */
int64_t equipoise_plan_size_before(const equipoise_plan* plan);
int64_t equipoise_plan_size_after(const equipoise_plan* plan);
/* How many transfers the plan has, all ranks together; the first `room` are written to `transfers`,
 * in the order of rounds. Not collective. */
int64_t equipoise_plan_transfers(const equipoise_plan* plan, equipoise_transfer* transfers,
                                 int64_t room);
/* The report of executing it, except for the seconds of moving. Not collective. */
int equipoise_plan_report(const equipoise_plan* plan, equipoise_report* report);
/* The plan in words, as snprintf: at most `room` characters are written, the last of them 0;
 * returns the length of the whole text. Not collective. */
size_t equipoise_plan_describe(const equipoise_plan* plan, char* text, size_t room);
/* A report in words, in the same way. */
size_t equipoise_report_describe(const equipoise_report* report, char* text, size_t room);
/* Whether moving pays. */
int equipoise_plan_worth_it(const equipoise_plan* plan, const equipoise_costs* costs,
                            equipoise_verdict* verdict);
/* The same with several weights an item: `seconds_by_kind` has a figure for each of them, one
 * step's work on a unit of it (0 for what takes no time, such as bytes), and `seconds_per_item`
 * must be 0. Phases follow one another: the slowest rank of each is waited for. */
int equipoise_plan_worth_it_by_kind(const equipoise_plan* plan, const equipoise_costs* costs,
                                    const double* seconds_by_kind, size_t kinds,
                                    equipoise_verdict* verdict);

/* An array whose items the plan moves: from the items before, in the order of the plan, to an array
 * of the caller that has room for those after. NULL for an array of no items; if `to` is NULL
 * although room is needed, the caller had no memory left. */
typedef struct equipoise_array {
    const void* from;
    void* to;
    size_t item_size; /* the same on all ranks, 1 or more */
} equipoise_array;

/* Moves the items of several arrays, so that they stay together. The arrays `from` stay as they
 * are. */
int equipoise_plan_execute(const equipoise_plan* plan, const equipoise_array* arrays,
                           size_t array_count, equipoise_report* report);

/* Moves the items of one array and replaces the array, as equipoise_rebalance does. Of the options
 * reallocate and packing count. */
int equipoise_plan_replace(const equipoise_plan* plan, void* items, int64_t* count,
                           size_t item_size, const equipoise_options* options,
                           equipoise_report* report);

/* Items under way. */
typedef struct equipoise_moving equipoise_moving;

/* Begins to move, and returns while messages are under way: leave all arrays alone until
 * equipoise_end. What execute promises holds for both together. */
int equipoise_plan_begin(const equipoise_plan* plan, const equipoise_array* arrays,
                         size_t array_count, equipoise_moving** moving);
/* The same for items that are packed: from the array `from` to the array `to` of the caller. On
 * success the items that have left are released, and those that stay are, as bytes, in `to`: free
 * the array `from`, but not its items. On failure `from` is as it was. */
int equipoise_plan_execute_packed(const equipoise_plan* plan, const equipoise_array* array,
                                  const equipoise_packing* packing, equipoise_report* report);
int equipoise_plan_begin_packed(const equipoise_plan* plan, const equipoise_array* array,
                                const equipoise_packing* packing, equipoise_moving** moving);

/* Items that are in no array: lists, columns of different lengths, objects of another language.
 * They are known by their places, from 0, in the old list and in a new one, which must have room
 * for all its items before the call. `pack` and `unpack` as above. */
typedef struct equipoise_placed {
    int (*pack)(int64_t place, equipoise_writer* out, void* context);  /* of the old list */
    int (*unpack)(int64_t place, equipoise_reader* in, void* context); /* of the new list */
    /* Undoes `unpack`, since another item could not be unpacked; may be NULL. */
    void (*discard)(int64_t place, void* context);
    /* Brings an item that stays to its place in the new list. It and `leave` are called once
     * nothing can fail. */
    void (*keep)(int64_t from, int64_t to, void* context);
    /* An item of the old list has arrived elsewhere; may be NULL. */
    void (*leave)(int64_t place, void* context);
    void* context;
} equipoise_placed;

int equipoise_plan_execute_placed(const equipoise_plan* plan, const equipoise_placed* items,
                                  equipoise_report* report);
/* `*items` is copied. */
int equipoise_plan_begin_placed(const equipoise_plan* plan, const equipoise_placed* items,
                                equipoise_moving** moving);

/* Completes the move, frees `*moving` and sets it to NULL. */
int equipoise_end(equipoise_moving** moving, equipoise_report* report);

/* ---- An exchange of one's own ---------------------------------------------------------------- */

/* Items that stay on a rank and are neighbours before and after. */
typedef struct equipoise_run {
    int64_t from; /* place of the first, from 0, before */
    int64_t to;   /* and after */
    int64_t items;
} equipoise_run;

/* A plan as lists, for programs that move their items by an MPI_Alltoallv of their own. Items that
 * stay are not counted. Lists by rank have an entry for each rank of the communicator, which for
 * this rank itself is 0 items. Plans of several rounds are followed to their end. */
typedef struct equipoise_exchange {
    int64_t ranks;     /* of the communicator */
    int64_t sent;      /* items that leave this rank */
    int64_t received;  /* items that arrive */
    int64_t kept_runs; /* of `kept` */
    /* How many go to and come from each rank, and how many to and from the ranks before it. */
    const int* send_counts;
    const int* send_offsets;
    const int* receive_counts;
    const int* receive_offsets;
    /* The same in 64 bits, as MPI_Alltoallv_c takes them. */
    const int64_t* send_counts64;
    const int64_t* send_offsets64;
    const int64_t* receive_counts64;
    const int64_t* receive_offsets64;
    /* The old places of the items that leave, in the order in which they do: those for rank 0,
     * those for rank 1, ... */
    const int64_t* send_order;
    /* The new places of those that arrive, in the order in which they do: those from rank 0, ... */
    const int64_t* receive_places;
    /* The items that stay, by old place. */
    const equipoise_run* kept;
} equipoise_exchange;

/* Writes for each of the equipoise_plan_size_before items of this rank the rank where it goes: its
 * own for those that stay. Not collective. */
int equipoise_plan_destinations(const equipoise_plan* plan, int* ranks);
/* Makes the lists of an exchange. Not collective, except that EQUIPOISE_BAD_INPUT is returned on
 * all ranks if one of them sends or receives more items than an int can count. */
int equipoise_plan_exchange(const equipoise_plan* plan, equipoise_exchange** exchange);
/* The same for any numbers of items; the lists of int are NULL. Not collective. */
int equipoise_plan_exchange64(const equipoise_plan* plan, equipoise_exchange** exchange);
/* Frees an exchange and sets the pointer to NULL; does nothing for NULL. Not collective. */
void equipoise_exchange_free(equipoise_exchange** exchange);

/* ---- Lend and return ------------------------------------------------------------------------- */

/* Items that are lent for a step: ranks with too much work lend some to others, all compute, and
 * every item returns to its place with its results. The same loan serves for many steps, as long as
 * every rank has the same number of items as when it was made and loads stay similar. */
typedef struct equipoise_loan equipoise_loan;

/* Plans a loan as equipoise_plan_make plans a move. */
int equipoise_loan_make(MPI_Comm comm, int64_t count, const equipoise_options* options,
                        equipoise_loan** loan);
/* Frees a loan and sets the pointer to NULL; items stay where they are. Not collective. */
void equipoise_loan_free(equipoise_loan** loan);
/* The plans of both ways, for several arrays, for results that only come home, and to compute while
 * items travel. They live as long as the loan. Not collective. */
const equipoise_plan* equipoise_loan_there(const equipoise_loan* loan);
const equipoise_plan* equipoise_loan_back(const equipoise_loan* loan);

/* Replaces an array of this rank's items by one of those that it is to work on. Of the options
 * reallocate and packing count. */
int equipoise_lend(const equipoise_loan* loan, void* items, int64_t* count, size_t item_size,
                   const equipoise_options* options, equipoise_report* report);
/* Lends copies: `items`, of as many items as the loan was made for, stays as it is, and `copies`,
 * the address of a pointer, gets an array (from malloc or options->reallocate; NULL for none) of
 * those that this rank is to work on. Results then come home by equipoise_give_back, and the items
 * need not. Of the options reallocate counts; packed items cannot be copied. */
int equipoise_lend_copies(const equipoise_loan* loan, const void* items, int64_t count,
                          size_t item_size, void* copies, int64_t* copy_count,
                          const equipoise_options* options, equipoise_report* report);
/* Begins to lend copies, and returns while they travel: leave `items` alone until equipoise_end,
 * which sets the pointer `copies` (NULL until then) and `*copy_count`; both variables must live
 * until then. Of the options reallocate counts, until then too. */
int equipoise_lend_copies_begin(const equipoise_loan* loan, const void* items, int64_t count,
                                size_t item_size, void* copies, int64_t* copy_count,
                                const equipoise_options* options, equipoise_moving** moving);
/* Brings every item home: replaces an array of the items that this rank has worked on, or of their
 * results, one for each item, by one of those that belong to its own items, in their order. */
int equipoise_give_back(const equipoise_loan* loan, void* items, int64_t* count, size_t item_size,
                        const equipoise_options* options, equipoise_report* report);

/* ---- Ranks for the parts of a new partition -------------------------------------------------- */

/* Make it with EQUIPOISE_RELABEL_OPTIONS_INIT. The same on all ranks, except the machine. */
typedef struct equipoise_relabel_options {
    size_t struct_bytes;    /* sizeof(equipoise_relabel_options) where the caller was compiled */
    int32_t parts;          /* parts are 0 to parts - 1; 0: up to the largest that has an item */
    int32_t parts_a_rank;   /* a rank gets at most this many */
    int32_t machines_first; /* not 0: fewest bytes between machines, and then between ranks */
    int32_t machine;        /* colour of this rank */
} equipoise_relabel_options;

#define EQUIPOISE_RELABEL_OPTIONS_INIT \
    { sizeof(equipoise_relabel_options), 0, 1, 0, EQUIPOISE_ASK_MPI }

/* A whole number of 128 bits: high * 2^64 + low. */
typedef struct equipoise_int128 {
    int64_t high;
    uint64_t low;
} equipoise_int128;

/* Make it with EQUIPOISE_RELABELLING_INIT. Bytes; "by identity": if part p went to rank p /
 * parts_a_rank. The same on all ranks. */
typedef struct equipoise_relabelling {
    size_t struct_bytes; /* sizeof(equipoise_relabelling) where the caller was compiled */
    int* rank_of_part;   /* an array of the caller for the ranks of the parts; NULL: not wanted */
    int64_t room;        /* of that array and of part_prices: no more than this many are written */
    int64_t parts;       /* how many there are */
    int64_t bytes;       /* of all items */
    int64_t moved;       /* that change their rank: no relabelling has fewer (with machines_first:
                            none that moves equally few between machines) */
    int64_t moved_by_identity;
    int64_t between_machines; /* that change their machine, if machines_first */
    int64_t between_machines_by_identity;
    /* Prices that certify `moved`: what a rank holds of a part is never more than both their prices
     * together, and bytes - moved is the sum of the parts' prices and parts_a_rank times the sum of
     * the ranks', which no relabelling can exceed. With machines_first a rank "holds" (bytes + 1)
     * times what its machine holds of a part, and what it holds itself. Arrays of the caller; NULL:
     * not wanted. */
    equipoise_int128* part_prices; /* one for each part, no more than `room`, which must be set */
    equipoise_int128* rank_prices; /* one for each rank of the communicator */
} equipoise_relabelling;

#define EQUIPOISE_RELABELLING_INIT \
    { sizeof(equipoise_relabelling), NULL, 0, 0, 0, 0, 0, 0, 0, NULL, NULL }

/* Gives the parts of a new partition the ranks that move the fewest bytes. `parts` has the new part
 * of each of the `count` items of this rank, and afterwards the rank that the item goes to, as
 * equipoise_plan_make_to takes it. `bytes`: of each item; NULL on all ranks that have items: each
 * counts 1. `options` and `found` may be NULL. */
int equipoise_relabel(MPI_Comm comm, int64_t count, int* parts, const int64_t* bytes,
                      const equipoise_relabel_options* options, equipoise_relabelling* found);
/* The same for parts of 64 bits, none of which is cut; for equipoise_plan_make_to64. */
int equipoise_relabel64(MPI_Comm comm, int64_t count, int64_t* parts, const int64_t* bytes,
                        const equipoise_relabel_options* options, equipoise_relabelling* found);

/* ---- When to balance ------------------------------------------------------------------------- */

/* Learns from the seconds of steps and balances when a balance is worth it. */
typedef struct equipoise_advisor equipoise_advisor;

typedef struct equipoise_advice {
    int worth_it;            /* 1 if it is time to balance, else 0 */
    double gain;             /* seconds that a balance now saves; see docs/how-to/balancer.md */
    double cost;             /* seconds that it costs; -1 before the first balance */
    int64_t break_even_step; /* at whose end it would have paid for itself; 0: never or unknown */
} equipoise_advice;

int equipoise_advisor_make(MPI_Comm comm, equipoise_advisor** advisor);
/* Not collective. */
void equipoise_advisor_free(equipoise_advisor** advisor);
/* The seconds that this rank's work took in a step, without the time in which it waited. */
int equipoise_advisor_step(equipoise_advisor* advisor, double seconds);
/* Items were moved after the last step: the seconds that planning and moving took. Not collective,
 * but every rank must report every balance. */
int equipoise_advisor_balanced(equipoise_advisor* advisor, double seconds);
/* Returns 1 if it is time to balance, else 0: the same on all ranks. `advice` may be NULL. Not
 * collective. */
int equipoise_advisor_worth_it(const equipoise_advisor* advisor, equipoise_advice* advice);

#ifdef __cplusplus
}
#endif

#endif
