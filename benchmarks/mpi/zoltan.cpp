#include "benchmarks/mpi/methods.hpp"

#if defined(BENCHMARK_WITH_ZOLTAN)
#include <cstring>
#include <memory>
#include <span>

#include <zoltan.h>
#endif

namespace rebalance_benchmark {

#if defined(BENCHMARK_WITH_ZOLTAN)

namespace {

using Id = ZOLTAN_ID_TYPE;

Items& items_of(void* data) {
    return *static_cast<Items*>(data);
}

int number_of_objects(void* data, int* error) {
    *error = ZOLTAN_OK;
    return static_cast<int>(items_of(data).size());
}

void list_objects(void* data, int /*global_words*/, int /*local_words*/, Id* global, Id* local,
                  int /*weights*/, float* /*weight*/, int* error) {
    const Items& items = items_of(data);
    for (std::size_t i = 0; i < items.size(); ++i) {
        global[i] = static_cast<Id>(items[i].number);
        local[i] = static_cast<Id>(i);
    }
    *error = ZOLTAN_OK;
}

int dimensions(void* /*data*/, int* error) {
    *error = ZOLTAN_OK;
    return 1;
}

void coordinates(void* data, int /*global_words*/, int /*local_words*/, int objects, Id* /*global*/,
                 Id* local, int /*dimensions*/, double* places, int* error) {
    for (int i = 0; i < objects; ++i)
        places[i] = static_cast<double>(items_of(data)[local[i]].number);
    *error = ZOLTAN_OK;
}

void sizes(void* /*data*/, int /*global_words*/, int /*local_words*/, int objects, Id* /*global*/,
           Id* /*local*/, int* bytes, int* error) {
    for (int i = 0; i < objects; ++i)
        bytes[i] = sizeof(Item);
    *error = ZOLTAN_OK;
}

void pack(void* data, int /*global_words*/, int /*local_words*/, int objects, Id* /*global*/,
          Id* local, int* /*parts*/, int* /*sizes*/, int* places, char* buffer, int* error) {
    for (int i = 0; i < objects; ++i)
        std::memcpy(buffer + places[i], &items_of(data)[local[i]], sizeof(Item));
    *error = ZOLTAN_OK;
}

// Between packing and unpacking, the caller removes what leaves.
void take_out(void* data, int /*global_words*/, int /*local_words*/, int /*imports*/,
              Id* /*import_global*/, Id* /*import_local*/, int* /*import_ranks*/,
              int* /*import_parts*/, int exports, Id* /*export_global*/, Id* local,
              int* /*export_ranks*/, int* /*export_parts*/, int* error) {
    Items& items = items_of(data);
    std::vector<char> leaves(items.size(), 0);
    for (int i = 0; i < exports; ++i)
        leaves[local[i]] = 1;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (leaves[i] == 0) items[kept++] = items[i];
    }
    items.resize(kept);
    *error = ZOLTAN_OK;
}

void unpack(void* data, int /*global_words*/, int objects, Id* /*global*/, int* /*sizes*/,
            int* places, char* buffer, int* error) {
    Items& items = items_of(data);
    const std::size_t before = items.size();
    items.resize(before + static_cast<std::size_t>(objects));
    for (int i = 0; i < objects; ++i)
        std::memcpy(&items[before + static_cast<std::size_t>(i)], buffer + places[i], sizeof(Item));
    *error = ZOLTAN_OK;
}

void level(Zoltan_Struct* zoltan, Items& items) {
    Zoltan_Set_Num_Obj_Fn(zoltan, number_of_objects, &items);
    Zoltan_Set_Obj_List_Fn(zoltan, list_objects, &items);
    Zoltan_Set_Num_Geom_Fn(zoltan, dimensions, &items);
    Zoltan_Set_Geom_Multi_Fn(zoltan, coordinates, &items);
    Zoltan_Set_Obj_Size_Multi_Fn(zoltan, sizes, &items);
    Zoltan_Set_Pack_Obj_Multi_Fn(zoltan, pack, &items);
    Zoltan_Set_Mid_Migrate_PP_Fn(zoltan, take_out, &items);
    Zoltan_Set_Unpack_Obj_Multi_Fn(zoltan, unpack, &items);
    int changes = 0;
    int global_words = 0;
    int local_words = 0;
    int imports = 0;
    int exports = 0;
    Id* import_global = nullptr;
    Id* import_local = nullptr;
    Id* export_global = nullptr;
    Id* export_local = nullptr;
    int* import_ranks = nullptr;
    int* import_parts = nullptr;
    int* export_ranks = nullptr;
    int* export_parts = nullptr;
    Zoltan_LB_Partition(zoltan, &changes, &global_words, &local_words, &imports, &import_global,
                        &import_local, &import_ranks, &import_parts, &exports, &export_global,
                        &export_local, &export_ranks, &export_parts);
    Zoltan_Migrate(zoltan, imports, import_global, import_local, import_ranks, import_parts,
                   exports, export_global, export_local, export_ranks, export_parts);
    Zoltan_LB_Free_Part(&import_global, &import_local, &import_ranks, &import_parts);
    Zoltan_LB_Free_Part(&export_global, &export_local, &export_ranks, &export_parts);
}

}  // namespace

std::vector<Method> zoltan_methods(MPI_Comm communicator) {
    float version = 0;
    Zoltan_Initialize(0, nullptr, &version);
    std::vector<Method> methods;
    for (const char* name : {"BLOCK", "RCB", "HSFC"}) {
        const auto free = [](Zoltan_Struct* zoltan) { Zoltan_Destroy(&zoltan); };
        const std::shared_ptr<Zoltan_Struct> zoltan(Zoltan_Create(communicator), free);
        Zoltan_Set_Param(zoltan.get(), "DEBUG_LEVEL", "0");
        Zoltan_Set_Param(zoltan.get(), "LB_METHOD", name);
        Zoltan_Set_Param(zoltan.get(), "NUM_GID_ENTRIES", "1");
        Zoltan_Set_Param(zoltan.get(), "NUM_LID_ENTRIES", "1");
        Zoltan_Set_Param(zoltan.get(), "OBJ_WEIGHT_DIM", "0");
        Zoltan_Set_Param(zoltan.get(), "IMBALANCE_TOL", "1.0");
        Zoltan_Set_Param(zoltan.get(), "RETURN_LISTS", "ALL");
        methods.push_back(
            {std::string("Zoltan ") + name, [=](Items& items) { level(zoltan.get(), items); }});
    }
    return methods;
}

#else

std::vector<Method> zoltan_methods(MPI_Comm /*communicator*/) {
    return {};
}

#endif

}  // namespace rebalance_benchmark
