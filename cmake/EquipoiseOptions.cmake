# Compiler settings that every target of this project shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(EQUIPOISE_QUICK_FLAGS $<$<CONFIG:Release>:-O1> CACHE STRING
    "What is compiled quickly (equipoise_compiles_quickly) and tests have these flags besides")
set(EQUIPOISE_HOT_FLAGS $<$<CONFIG:Release>:-O2> CACHE STRING
    "Hot files of what is compiled quickly have these flags besides")
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    # The sloppiness lets ccache serve files that use precompiled headers.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

# Warnings are for those who work on the project, with the compilers that it is tested with.
set(for_developers OFF)
if(PROJECT_IS_TOP_LEVEL AND NOT EQUIPOISE_ONLY AND NOT EQUIPOISE_SHARED AND
   "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^(GNU 12|Clang 16)[.]")
    set(for_developers ON)
endif()
option(EQUIPOISE_WARNINGS "Warnings, all of which are errors" ${for_developers})
set(warnings "")
if(EQUIPOISE_WARNINGS)
    set(warnings -Wall -Wextra -Wpedantic -Wconversion -Werror)
endif()

add_library(equipoise_options INTERFACE)
target_compile_features(equipoise_options INTERFACE cxx_std_20)
# Contracted multiply-adds would make results differ between machines.
target_compile_options(equipoise_options INTERFACE -ffp-contract=off
    $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:C,CXX>:${warnings}>>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What ccache needs for precompiled headers.
    target_compile_options(equipoise_options INTERFACE
        $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>>)
endif()
if(EQUIPOISE_CHECKED)
    target_compile_definitions(equipoise_options INTERFACE EQUIPOISE_CHECKED)
endif()
if(EQUIPOISE_SANITIZE)
    target_compile_options(equipoise_options INTERFACE
        -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1
        # These took a fifth or more of the compiler's time. AddressSanitizer stops at null pointers
        # and beyond objects as well, where memory is touched; nobody looks for the others.
        -fno-sanitize=null,alignment,object-size,vptr
        # Uses of the stack after a return, for which g++ never looks, took a tenth of tests' time.
        $<$<CXX_COMPILER_ID:Clang>:-fsanitize-address-use-after-return=never>
        # Instrumented loops are not vectorised, of which clang would warn.
        $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
    target_link_options(equipoise_options INTERFACE -fsanitize=address,undefined)
endif()
