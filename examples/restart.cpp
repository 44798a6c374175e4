// Checkpoints, and what to do when a rank dies: mpirun ends the other ranks, too; started again, on
// any number of ranks, the program takes the items of its last checkpoint, levels them and goes on.
// usage: restart [STEPS [FOLDER]]. Look at how 4 ranks' items come to 3 ranks: docs/how-to.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpi.h>
#include <unistd.h>

#include <equipoise/balancer/balancer.hpp>

namespace files = std::filesystem;

constexpr long interval = 5;  // steps between checkpoints

struct Item {
    std::uint64_t number = 0;
    std::uint64_t state = 0;

    [[nodiscard]] double cost() const { return static_cast<double>(1 + (state >> 60)); }
    void advance() { state = state * 6364136223846793005U + 1442695040888963407U; }
};

struct Ranks {
    int mine = 0;
    int all = 0;
};

bool write(const files::path& path, const std::vector<Item>& items) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return false;
    const bool written =
        std::fwrite(items.data(), sizeof(Item), items.size(), file) == items.size() &&
        std::fflush(file) == 0 && fsync(fileno(file)) == 0;
    return std::fclose(file) == 0 && written;
}

void read(const files::path& path, std::vector<Item>& items) {
    const std::size_t before = items.size();
    const std::size_t count = files::file_size(path) / sizeof(Item);
    items.resize(before + count);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr || std::fread(items.data() + before, sizeof(Item), count, file) != count)
        throw std::runtime_error(path.string() + ": expected items, found no file or a short one");
    std::fclose(file);
}

// A checkpoint is a folder with a file of every rank. It is named after its step once all files
// are on the disk, so that one with a number is whole, whenever a rank dies.
void save(const Ranks& ranks, const files::path& folder, long step,
          const std::vector<Item>& items) {
    const files::path draft = folder / "draft";
    if (ranks.mine == 0) {
        files::remove_all(draft);  // of a run that died while it wrote, with more ranks perhaps
        files::create_directories(draft);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int written = write(draft / std::to_string(ranks.mine), items) ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &written, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (ranks.mine != 0) return;
    if (written == 0) {  // the checkpoint before stays
        std::printf("step %ld: could not be saved\n", step);
        std::fflush(stdout);
        return;
    }
    files::rename(draft, folder / std::to_string(step));
    files::remove_all(folder / std::to_string(step - interval));
}

// The step of the last checkpoint, and how many ranks wrote it; 0 if there is none.
struct Checkpoint {
    long step = 0;
    long files = 0;
};

Checkpoint last_in(const Ranks& ranks, const files::path& folder) {
    Checkpoint last;
    if (ranks.mine == 0 && files::exists(folder))
        for (const auto& entry : files::directory_iterator(folder))  // the draft's name counts 0
            last.step = std::max(last.step, std::atol(entry.path().filename().c_str()));
    if (last.step > 0)
        last.files = std::distance(files::directory_iterator(folder / std::to_string(last.step)),
                                   files::directory_iterator());
    MPI_Bcast(&last, 2, MPI_LONG, 0, MPI_COMM_WORLD);
    return last;
}

// Levels the costs; `what` says what happened before.
void level(const Ranks& ranks, std::vector<Item>& items, const std::string& what) {
    std::vector<double> costs;
    costs.reserve(items.size());
    for (const Item& item : items)
        costs.push_back(item.cost());
    const auto report =
        equipoise::balancer::rebalance(MPI_COMM_WORLD, items, costs, {.tolerance = 0.05});
    if (ranks.mine != 0 || what.empty()) return;
    std::printf("%s on %d ranks: the largest cost is %.0f instead of %.0f, %.1f on average\n",
                what.c_str(), ranks.all, report.weight_after.most, report.weight_before.most,
                report.weight_after.average);
    std::fflush(stdout);  // this rank may die
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    Ranks ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.mine);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.all);
    const long steps = argc > 1 ? std::atol(argv[1]) : 20;
    const files::path folder = argc > 2 ? argv[2] : "checkpoints";

    const Checkpoint last = last_in(ranks, folder);
    std::vector<Item> items;
    for (long file = ranks.mine; file < last.files; file += ranks.all)
        read(folder / std::to_string(last.step) / std::to_string(file), items);
    for (std::uint64_t number = 0; last.step == 0 && ranks.mine == 0 && number < 1000; ++number)
        items.push_back({number, number});
    level(ranks, items,
          last.step == 0 ? "begun"
                         : "step " + std::to_string(last.step) + ", saved by " +
                               std::to_string(last.files) + " ranks,");
    for (long step = last.step + 1; step <= steps; ++step) {
        for (Item& item : items)
            item.advance();
        if (step % interval != 0) continue;
        level(ranks, items, "");
        save(ranks, folder, step, items);
    }

    std::uint64_t sum = 0;
    for (const Item& item : items)
        sum += item.state ^ item.number;
    std::uint64_t whole = 0;
    MPI_Reduce(&sum, &whole, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (ranks.mine == 0) std::printf("the end: %016llx\n", static_cast<unsigned long long>(whole));
    MPI_Finalize();
}
