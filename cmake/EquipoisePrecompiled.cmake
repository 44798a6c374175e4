# Precompiled headers, where files are compiled in units. The build that clang-tidy reads, each file
# alone, has none, which ensures that every file includes what it uses.

# equipoise_precompiled(<name> [PROGRAM] LIBRARIES <libraries> HEADERS <headers>)
# Compiles headers once, with the flags of the libraries, for equipoise_use_precompiled(<target>
# <name>). Macros such as _OPENMP must be the same in both; a source file with flags that differ
# takes SKIP_PRECOMPILE_HEADERS. With PROGRAM they are for programs; otherwise for libraries, whose
# code is position-independent.
function(equipoise_precompiled name)
    cmake_parse_arguments(ARG "PROGRAM" "" "LIBRARIES;HEADERS" ${ARGN})
    if(NOT (CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$"))
        return()
    endif()
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// Carries the precompiled headers.\n")
    add_library(${name} OBJECT ${source})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PRIVATE equipoise_options ${ARG_LIBRARIES})
    target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
    if(NOT ARG_PROGRAM)
        equipoise_position_independent(${name})
    endif()
endfunction()

function(equipoise_use_precompiled target name)
    if(TARGET ${name})
        target_precompile_headers(${target} REUSE_FROM ${name})
    endif()
endfunction()

set(standard_headers <algorithm> <array> <bit> <charconv> <cmath> <concepts> <cstddef>
    <cstdint> <functional> <limits> <map> <memory> <optional> <set> <span> <string> <string_view>
    <utility> <vector>)
equipoise_precompiled(equipoise_precompiled_serial HEADERS ${standard_headers})
if(EQUIPOISE_ONLY)
    return()
endif()
set(openmp $<$<BOOL:${OpenMP_CXX_FOUND}>:OpenMP::OpenMP_CXX>)
equipoise_precompiled(equipoise_precompiled_threaded
    LIBRARIES ${openmp} HEADERS ${standard_headers})
# What every entry of the catalogue includes.
equipoise_precompiled(equipoise_precompiled_catalogue LIBRARIES ${openmp} fmt::fmt
    HEADERS ${standard_headers} ${PROJECT_SOURCE_DIR}/equipoise/catalogue/registry/rounds.hpp)
