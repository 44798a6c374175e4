# cmake -D BUILD=... -D COMPILER=... -D VERSION=... -D CONSUMERS=... -D SCRATCH=...
#       [-D MPIEXEC=...] -P check.cmake
function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(NOT status EQUAL 0)
        list(JOIN ARGV " " command)
        message(FATAL_ERROR "${command}\n${out}")
    endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
foreach(installed IN ITEMS include/equipoise/network/network.hpp share/doc/Equipoise/LICENSE)
    if(NOT EXISTS ${SCRATCH}/prefix/${installed})
        message(FATAL_ERROR "the installation lacks ${installed}")
    endif()
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
    run(${MPIEXEC} -n 2 ${SCRATCH}/mpi_consumer/mpi_consumer)
endif()
