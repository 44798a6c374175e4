// HDF5 by all ranks at once: rows are read in equal parts, balanced by what they cost, and written
// in the order of the file, whoever holds them. Run it on 4 ranks.
// Look at the largest cost in equal parts and in ours, and at the rows of the file in the end.

#include <cstdio>
#include <filesystem>
#include <vector>

#include <hdf5.h>
#include <mpi.h>

#include <equipoise/balancer/balancer.hpp>

// The glue begins.
// Reads or writes a column: each rank the part that follows those of the ranks before it, as long
// as its vector. Collective.
void transfer(MPI_Comm communicator, hid_t file, const char* name, bool writes,
              std::vector<double>& numbers) {
    const hsize_t count = numbers.size();
    hsize_t end = 0;
    MPI_Scan(&count, &end, 1, MPI_UINT64_T, MPI_SUM, communicator);
    const hsize_t first = end - count;
    const hid_t column = H5Dopen(file, name, H5P_DEFAULT);
    const hid_t in_file = H5Dget_space(column);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &first, nullptr, &count, nullptr);
    const hid_t in_memory = H5Screate_simple(1, &count, nullptr);
    const hid_t together = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(together, H5FD_MPIO_COLLECTIVE);
    if (writes)
        H5Dwrite(column, H5T_NATIVE_DOUBLE, in_memory, in_file, together, numbers.data());
    else
        H5Dread(column, H5T_NATIVE_DOUBLE, in_memory, in_file, together, numbers.data());
    H5Pclose(together);
    H5Sclose(in_memory);
    H5Sclose(in_file);
    H5Dclose(column);
}

equipoise::balancer::Report level(MPI_Comm communicator, std::vector<double>& rows,
                                  std::vector<double>& costs) {
    using namespace equipoise::balancer;
    return rebalance(communicator, rows, costs, {.policy = Policy::keep_order});
}
// The glue ends.

// What the program has anyway: a file of rows, and a step that makes a row colder.
constexpr hsize_t rows_of_all = 1000;
constexpr const char* name = "rows.h5";

void make_file() {
    const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &rows_of_all, nullptr);
    std::vector<double> numbers(rows_of_all);
    for (const char* column : {"temperature", "cost"}) {
        for (std::size_t row = 0; row < numbers.size(); ++row)
            numbers[row] = column[0] == 't'
                               ? 300.0 + static_cast<double>(row)
                               : static_cast<double>(row % 500 < 90 ? 40 : 1 + row % 5);
        const hid_t made = H5Dcreate(file, column, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
        H5Dclose(made);
    }
    H5Sclose(space);
    H5Fclose(file);
}

// How many rows are one degree colder than make_file made them.
std::size_t cooled_rows() {
    std::vector<double> numbers(rows_of_all);
    const hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t column = H5Dopen(file, "temperature", H5P_DEFAULT);
    H5Dread(column, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    H5Dclose(column);
    H5Fclose(file);
    std::size_t cooled = 0;
    for (std::size_t row = 0; row < numbers.size(); ++row)
        cooled += numbers[row] == 299.0 + static_cast<double>(row) ? 1 : 0;
    return cooled;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) make_file();
    MPI_Barrier(MPI_COMM_WORLD);
    const hid_t by_mpi = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(by_mpi, MPI_COMM_WORLD, MPI_INFO_NULL);
    const hid_t file = H5Fopen(name, H5F_ACC_RDWR, by_mpi);

    const auto begin_of = [&](int r) {
        return rows_of_all * static_cast<hsize_t>(r) / static_cast<hsize_t>(ranks);
    };
    std::vector<double> rows(begin_of(rank + 1) - begin_of(rank));
    std::vector<double> costs(rows.size());
    transfer(MPI_COMM_WORLD, file, "temperature", false, rows);
    transfer(MPI_COMM_WORLD, file, "cost", false, costs);
    const auto report = level(MPI_COMM_WORLD, rows, costs);
    for (double& temperature : rows)
        temperature -= 1;
    transfer(MPI_COMM_WORLD, file, "temperature", true, rows);

    H5Fclose(file);
    H5Pclose(by_mpi);
    std::printf("rank %d: %zu rows\n", rank, rows.size());
    if (rank == 0) {
        std::printf("largest cost %g instead of %g, and no cut has less than %g; %lld rows moved\n",
                    report.largest, report.largest_before, report.largest_at_least,
                    static_cast<long long>(report.moved));
        std::printf("%zu rows of the file are one degree colder\n", cooled_rows());
        std::filesystem::remove(name);
    }
    MPI_Finalize();
}
