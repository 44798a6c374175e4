// Zoltan with our plan in place of its partitioner: what Zoltan_LB_Partition says of exports comes
// from the program's own answers to Zoltan's queries, and Zoltan migrates. Run it on 4 ranks.
// Look at the largest load, and at how many cells move, beside Zoltan's space-filling curve.

#include <cstring>
#include <utility>
#include <vector>

#include <mpi.h>
#include <zoltan.h>

#include "tell.hpp"
#include <equipoise/balancer/balancer.hpp>

namespace balancer = equipoise::balancer;
using Id = ZOLTAN_ID_TYPE;

// The glue begins.
struct Exports {
    std::vector<Id> global;
    std::vector<Id> local;
    std::vector<int> ranks;
};

Exports exports_of(MPI_Comm communicator, ZOLTAN_NUM_OBJ_FN* number_of_objects,
                   ZOLTAN_OBJ_LIST_FN* list_objects, void* data, balancer::Options options) {
    int error = ZOLTAN_OK;
    const auto count = static_cast<std::size_t>(number_of_objects(data, &error));
    if (error != ZOLTAN_OK) MPI_Abort(communicator, error);
    std::vector<Id> global(count);
    std::vector<Id> local(count);
    std::vector<float> weights(count);
    list_objects(data, 1, 1, global.data(), local.data(), 1, weights.data(), &error);
    if (error != ZOLTAN_OK) MPI_Abort(communicator, error);
    options.weights = weights;
    const std::vector<int> to =
        balancer::make_plan(communicator, std::ssize(weights), options).destinations();
    Exports exports;
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    for (std::size_t i = 0; i < count; ++i) {
        if (to[i] == rank) continue;
        exports.global.push_back(global[i]);
        exports.local.push_back(local[i]);
        exports.ranks.push_back(to[i]);
    }
    return exports;
}
// The glue ends.

// What the program has anyway: cells along a curve, and its answers to Zoltan.
struct Cell {
    Id number = 0;
    float cost = 0;
};

using Cells = std::vector<Cell>;

Cells& cells_of(void* data) {
    return *static_cast<Cells*>(data);
}

int number_of_cells(void* data, int* /*error*/) {
    return static_cast<int>(cells_of(data).size());
}

void list_cells(void* data, int /*words*/, int /*words*/, Id* global, Id* local, int /*kinds*/,
                float* weights, int* /*error*/) {
    const Cells& cells = cells_of(data);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        global[i] = cells[i].number;
        local[i] = static_cast<Id>(i);
        weights[i] = cells[i].cost;
    }
}

// NOLINTBEGIN(readability-non-const-parameter): Zoltan says what these functions take.
int dimensions(void* /*data*/, int* /*error*/) {
    return 1;
}

void place(void* /*data*/, int /*words*/, int /*words*/, Id* global, Id* /*local*/, double* at,
           int* /*error*/) {
    *at = *global;
}

int bytes(void* /*data*/, int /*words*/, int /*words*/, Id* /*global*/, Id* /*local*/,
          int* /*error*/) {
    return sizeof(Cell);
}

void pack(void* data, int /*words*/, int /*words*/, Id* /*global*/, Id* local, int /*rank*/,
          int /*bytes*/, char* buffer, int* /*error*/) {
    Cell& cell = cells_of(data)[*local];
    std::memcpy(buffer, &cell, sizeof(Cell));
    cell.cost = 0;  // it leaves
}

void unpack(void* data, int /*words*/, Id* /*global*/, int /*bytes*/, char* buffer,
            int* /*error*/) {
    std::memcpy(&cells_of(data).emplace_back(), buffer, sizeof(Cell));
}
// NOLINTEND(readability-non-const-parameter)

Cells first_cells(MPI_Comm communicator) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    Cells cells;
    for (int number = 20 * rank * rank; number < 20 * (rank + 1) * (rank + 1); ++number)
        cells.push_back({static_cast<Id>(number), static_cast<float>(1 + number * number % 211)});
    return cells;
}

void migrate(Zoltan_Struct* zoltan, Cells& cells, const char* how, std::size_t exports, Id* global,
             Id* local, int* ranks) {
    Zoltan_Migrate(zoltan, -1, nullptr, nullptr, nullptr, nullptr, static_cast<int>(exports),
                   global, local, ranks, ranks);
    std::erase_if(cells, [](const Cell& cell) { return cell.cost == 0; });
    double load = 0;
    for (const Cell& cell : cells)
        load += cell.cost;
    tell(MPI_COMM_WORLD, how, load, static_cast<double>(exports));
}

void partition_by_zoltan(Zoltan_Struct* zoltan, Cells& cells) {
    int changes = 0;
    int words = 0;
    int imports = 0;
    int exports = 0;
    Id* import_ids = nullptr;
    Id* global = nullptr;
    Id* local = nullptr;
    int* import_ranks = nullptr;
    int* ranks = nullptr;
    int* parts = nullptr;
    Zoltan_LB_Partition(zoltan, &changes, &words, &words, &imports, &import_ids, &import_ids,
                        &import_ranks, &import_ranks, &exports, &global, &local, &ranks, &parts);
    migrate(zoltan, cells, "Zoltan, HSFC", static_cast<std::size_t>(exports), global, local, ranks);
    Zoltan_LB_Free_Part(&global, &local, &ranks, &parts);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    float version = 0;
    Zoltan_Initialize(argc, argv, &version);
    Cells cells;
    Zoltan_Struct* zoltan = Zoltan_Create(MPI_COMM_WORLD);
    for (const auto& [name, value] : {std::pair("DEBUG_LEVEL", "0"),
                                      {"LB_METHOD", "HSFC"},
                                      {"OBJ_WEIGHT_DIM", "1"},
                                      {"IMBALANCE_TOL", "1.0"},
                                      {"RETURN_LISTS", "EXPORT"},
                                      {"REMAP", "0"}})
        Zoltan_Set_Param(zoltan, name, value);
    Zoltan_Set_Num_Obj_Fn(zoltan, number_of_cells, &cells);
    Zoltan_Set_Obj_List_Fn(zoltan, list_cells, &cells);
    Zoltan_Set_Num_Geom_Fn(zoltan, dimensions, &cells);
    Zoltan_Set_Geom_Fn(zoltan, place, &cells);
    Zoltan_Set_Obj_Size_Fn(zoltan, bytes, &cells);
    Zoltan_Set_Pack_Obj_Fn(zoltan, pack, &cells);
    Zoltan_Set_Unpack_Obj_Fn(zoltan, unpack, &cells);

    cells = first_cells(MPI_COMM_WORLD);
    migrate(zoltan, cells, "before", 0, nullptr, nullptr, nullptr);
    partition_by_zoltan(zoltan, cells);
    for (const auto policy : {balancer::Policy::keep_order, balancer::Policy::weighted}) {
        cells = first_cells(MPI_COMM_WORLD);
        Exports exports =
            exports_of(MPI_COMM_WORLD, number_of_cells, list_cells, &cells, {.policy = policy});
        migrate(
            zoltan, cells,
            policy == balancer::Policy::weighted ? "Equipoise, weighted" : "Equipoise, keep_order",
            exports.ranks.size(), exports.global.data(), exports.local.data(),
            exports.ranks.data());
    }
    Zoltan_Destroy(&zoltan);
    MPI_Finalize();
}
