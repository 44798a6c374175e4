# cmake -D BUILD=... -D COMPILER=... -D VERSION=... -D CONSUMERS=... -D SCRATCH=...
#       [-D MPIEXEC=... -D MPICXX=... -D MPICC=... [-D MPIF90=...]] [-D PKG_CONFIG=...]
#       -P check.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
foreach(installed IN ITEMS include/equipoise/network/network.hpp share/doc/Equipoise/LICENSE
        share/man/man1/equipoise.1 share/man/man1/equipoise-run.1
        share/bash-completion/completions/equipoise share/zsh/site-functions/_equipoise
        share/equipoise/schemas/equipoise-run.json)
    if(NOT EXISTS ${SCRATCH}/prefix/${installed})
        message(FATAL_ERROR "the installation lacks ${installed}")
    endif()
endforeach()
# Each public header compiles by itself, and all that examples and consumers include are public.
include(${CONSUMERS}/../../cmake/EquipoisePublicHeaders.cmake)
set(public ${EQUIPOISE_PUBLIC_HEADERS})
set(units "")
foreach(header IN LISTS public)
    string(APPEND units "#include <equipoise/${header}>\n")
endforeach()
file(WRITE ${SCRATCH}/public.cpp "${units}")
run(${COMPILER} -std=c++20 -fsyntax-only -I${SCRATCH}/prefix/include
    -I${SCRATCH}/prefix/include/equipoise-internal ${SCRATCH}/public.cpp)
# The headers of the five-line program stay light.
file(WRITE ${SCRATCH}/light.cpp "#include <equipoise/equipoise.hpp>\n")
execute_process(COMMAND ${COMPILER} -std=c++20 -M -I${SCRATCH}/prefix/include
                        -I${SCRATCH}/prefix/include/equipoise-internal ${SCRATCH}/light.cpp
                OUTPUT_VARIABLE included COMMAND_ERROR_IS_FATAL ANY)
foreach(costly IN ITEMS algorithm chrono functional memory stop_token)
    if(included MATCHES "/c\\+\\+/[0-9]+/${costly}[ \n]")
        message(FATAL_ERROR "equipoise.hpp includes <${costly}>, which is costly to compile")
    endif()
endforeach()
if(MPIEXEC)
    list(APPEND public ${EQUIPOISE_PUBLIC_MPI_HEADERS})
endif()
file(GLOB_RECURSE installed_public RELATIVE ${SCRATCH}/prefix/include/equipoise
     ${SCRATCH}/prefix/include/equipoise/*.hpp)
list(SORT installed_public)
list(SORT public)
if(NOT installed_public STREQUAL public)
    message(FATAL_ERROR "expected the public headers ${public}, found ${installed_public}")
endif()
file(GLOB_RECURSE programs ${CONSUMERS}/../../examples/*.cpp ${CONSUMERS}/*/*.cpp)
foreach(program IN LISTS programs)
    file(STRINGS ${program} included REGEX "#include <equipoise/")
    foreach(line IN LISTS included)
        string(REGEX REPLACE ".*<equipoise/(.*)>.*" "\\1" header "${line}")
        if(NOT header IN_LIST public AND NOT header IN_LIST EQUIPOISE_PUBLIC_MPI_HEADERS)
            message(FATAL_ERROR "${program} includes ${header}, which is internal")
        endif()
    endforeach()
endforeach()
file(GLOB_RECURSE headers ${SCRATCH}/prefix/include/*.hpp)
foreach(header IN LISTS headers)
    file(STRINGS ${header} heavy REGEX "#include <(nlohmann|CLI|fmt)/")
    if(heavy)
        message(FATAL_ERROR "${header} makes its users need another library: ${heavy}")
    endif()
endforeach()

# build(<consumer>): configures and builds a consumer.
function(build consumer)
    run(${CMAKE_COMMAND} -S ${CONSUMERS}/${consumer} -B ${SCRATCH}/${consumer} -G Ninja
        -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${SCRATCH}/prefix
        -D EQUIPOISE_VERSION_EXPECTED=${VERSION})
    run(${CMAKE_COMMAND} --build ${SCRATCH}/${consumer})
endfunction()

build(consumer)
run(${SCRATCH}/consumer/consumer)
run(${SCRATCH}/consumer/one_room)
if(MPIEXEC)
    build(mpi_consumer)
    # Without neighbours_only a program links neither the catalogue nor its libraries.
    file(STRINGS ${SCRATCH}/mpi_consumer/build.ninja linked REGEX "LINK_LIBRARIES")
    if(NOT linked MATCHES "equipoise_balancer" OR linked MATCHES "equipoise_catalogue|gmp")
        message(FATAL_ERROR "a program that calls rebalance() links ${linked}")
    endif()
    run(${MPIEXEC} -n 2 ${SCRATCH}/mpi_consumer/mpi_consumer)
    # The examples beside other libraries, as far as these are there, print what they ought to.
    set(EXAMPLES ${CONSUMERS}/../../examples)
    run(${CMAKE_COMMAND} -S ${EXAMPLES}/with -B ${SCRATCH}/with -G Ninja
        -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${SCRATCH}/prefix)
    run(${CMAKE_COMMAND} --build ${SCRATCH}/with)
    file(GLOB programs ${SCRATCH}/with/example_*)
    foreach(program IN LISTS programs)
        string(REGEX REPLACE ".*/example_" "" name ${program})
        run(python3 ${CONSUMERS}/../examples/play.py ${EXAMPLES}/with/${name}.txt
            ${MPIEXEC} -n 4 ${program})
    endforeach()
endif()
if(PKG_CONFIG)
    include(${CONSUMERS}/pkg_config.cmake)
endif()
