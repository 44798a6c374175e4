# cmake -D BUILD=... -D COMPILER=... -D VERSION=... -D CONSUMER=... -D SCRATCH=... -P check.cmake
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

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/build -G Ninja
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${SCRATCH}/prefix
    -D EQUIPOISE_VERSION_EXPECTED=${VERSION})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/consumer)
