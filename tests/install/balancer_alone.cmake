# The balancer is built, installed and used where nothing can be found but a compiler and MPI:
#   cmake -D SOURCE=... -D COMPILER=... -D MPICXX=... -D MPIEXEC=... -D SCRATCH=...
#         -P balancer_alone.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

# Of all that the project looks for elsewhere, nothing is found.
file(GLOB scripts ${SOURCE}/cmake/*.cmake)
list(APPEND scripts ${SOURCE}/CMakeLists.txt ${SOURCE}/equipoise/CMakeLists.txt
     ${SOURCE}/tests/CMakeLists.txt ${SOURCE}/python/CMakeLists.txt)
set(hidden "")
foreach(script IN LISTS scripts)
    file(STRINGS ${script} lines REGEX "find_package\\([A-Za-z]")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE ".*find_package\\(([A-Za-z0-9_]+).*" "\\1" package "${line}")
        if(NOT package MATCHES "^(MPI|Equipoise)$")
            list(APPEND hidden -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
        endif()
    endforeach()
endforeach()
list(REMOVE_DUPLICATES hidden)
list(LENGTH hidden count)
if(count LESS 5)
    message(FATAL_ERROR "expected at least 5 packages to hide, found ${hidden}")
endif()
file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/build -G "Unix Makefiles"
    -DEQUIPOISE_ONLY=balancer -DCMAKE_CXX_COMPILER=${COMPILER} -DMPI_CXX_COMPILER=${MPICXX}
    -DCMAKE_INSTALL_PREFIX=${SCRATCH}/prefix ${hidden})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build --parallel 2)
run(${CMAKE_COMMAND} --install ${SCRATCH}/build)

# What was read besides the project's files came with the compiler, the system or MPI.
file(GLOB_RECURSE dependencies ${SCRATCH}/build/*.o.d)
list(LENGTH dependencies count)
if(count LESS 5)
    message(FATAL_ERROR "expected lists of what was read, found ${count}")
endif()
foreach(file IN LISTS dependencies)
    file(STRINGS ${file} foreign REGEX
         "/(fmt|nlohmann|CLI|eigen3|Spectra|lemon|brotli|yaml-cpp|cereal|boost|pybind11)/\
|/(gmp|gmpxx|metis|Clp_C_Interface)\\.h")
    if(foreign)
        message(FATAL_ERROR "${file}: the balancer needs ${foreign}")
    endif()
endforeach()

# Programs are built with it as its pages say.
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/install/mpi_consumer -B ${SCRATCH}/consumer
    -G "Unix Makefiles" -DCMAKE_CXX_COMPILER=${COMPILER} -DMPI_CXX_COMPILER=${MPICXX}
    -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix ${hidden})
run(${CMAKE_COMMAND} --build ${SCRATCH}/consumer)
run(${MPIEXEC} -n 2 ${SCRATCH}/consumer/mpi_consumer)
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
    file(GLOB_RECURSE file ${SCRATCH}/prefix/*/equipoise-balancer.pc)
    get_filename_component(folder ${file} DIRECTORY)
    set(ENV{PKG_CONFIG_PATH} ${folder})
    run(${PKG_CONFIG} --cflags --libs equipoise-balancer)
    string(STRIP "${out}" out)
    separate_arguments(flags UNIX_COMMAND "${out}")
    run(${MPICXX} -std=c++20 ${SOURCE}/examples/mpi/balanced.cpp -o ${SCRATCH}/balanced ${flags})
else()
    file(GLOB_RECURSE libraries ${SCRATCH}/prefix/lib*/libequipoise_*.a)
    list(FILTER libraries EXCLUDE REGEX "_fortran")
    set(include ${SCRATCH}/prefix/include)
    run(${MPICXX} -std=c++20 -I${include} -I${include}/equipoise-internal
        ${SOURCE}/examples/mpi/balanced.cpp -o ${SCRATCH}/balanced
        -Wl,--start-group ${libraries} -Wl,--end-group)
endif()
run(${MPIEXEC} -n 2 ${SCRATCH}/balanced)
if(NOT out MATCHES "rank 0: 50026 particles of 50025.50" OR
   NOT out MATCHES "rank 1: 50025 particles of 50025.50")
    message(FATAL_ERROR "expected 50026 and 50025 particles, found:\n${out}")
endif()
# It says so to a program that asks for more.
file(WRITE ${SCRATCH}/more/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(More LANGUAGES CXX)
find_package(Equipoise REQUIRED)
")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SCRATCH}/more -B ${SCRATCH}/more/build
                        -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE out)
string(REGEX REPLACE "[ \n]+" " " out "${out}")
if(status EQUAL 0 OR NOT out MATCHES "the balancer alone: ask for COMPONENTS mpi")
    message(FATAL_ERROR "expected to hear that this is the balancer alone, found:\n${out}")
endif()
