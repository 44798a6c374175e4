# Every example in C++, C and Fortran is built from the installed package with what pkg-config says
# of it, and those for MPI with the compiler wrappers; part of check.cmake.
file(GLOB_RECURSE files ${SCRATCH}/prefix/*/pkgconfig/*.pc)
list(GET files 0 file)
get_filename_component(folder ${file} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${folder})
set(EXAMPLES ${CONSUMERS}/../../examples)
file(MAKE_DIRECTORY ${SCRATCH}/pkg_config)
file(CREATE_LINK ${EXAMPLES} ${SCRATCH}/pkg_config/examples SYMBOLIC)

# words(<variable> <--cflags or --libs> <packages>)
function(words variable what)
    execute_process(COMMAND ${PKG_CONFIG} ${what} ${ARGN} OUTPUT_VARIABLE said
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(said UNIX_COMMAND "${said}")
    set(${variable} ${said} PARENT_SCOPE)
endfunction()

# build_examples([MPI] COMPILER <compiler and flags> PACKAGES <packages> SOURCES <patterns>
#                [WITHOUT <regular expression>]): builds each, and runs it, with MPI on 2 ranks.
# What they print is tested in the build.
function(build_examples)
    cmake_parse_arguments(ARG "MPI" "WITHOUT" "COMPILER;PACKAGES;SOURCES" ${ARGN})
    words(flags --cflags ${ARG_PACKAGES})
    words(libraries --libs ${ARG_PACKAGES})
    file(GLOB sources ${ARG_SOURCES})
    if(ARG_WITHOUT)
        list(FILTER sources EXCLUDE REGEX ${ARG_WITHOUT})
    endif()
    if(NOT sources)
        message(FATAL_ERROR "no example matches ${ARG_SOURCES}")
    endif()
    foreach(source IN LISTS sources)
        get_filename_component(name ${source} NAME)
        set(program ${SCRATCH}/pkg_config/${name}.out)
        run(${ARG_COMPILER} ${flags} ${source} -o ${program} ${libraries})
        if(ARG_MPI)
            # Those that take an argument: steps. One writes files where it runs.
            run(${CMAKE_COMMAND} -E chdir ${SCRATCH}/pkg_config ${MPIEXEC} -n 2 ${program} 1)
        else()
            execute_process(COMMAND ${program} WORKING_DIRECTORY ${SCRATCH}/pkg_config
                            OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
        endif()
    endforeach()
endfunction()

build_examples(COMPILER ${COMPILER} -std=c++20 PACKAGES equipoise
               SOURCES ${EXAMPLES}/five_lines.cpp ${EXAMPLES}/library/*.cpp
                       ${CONSUMERS}/consumer/*.cpp)
if(MPIEXEC AND MPICXX)
    build_examples(MPI COMPILER ${MPICXX} -std=c++20 PACKAGES equipoise-balancer
                   WITHOUT "/neighbours_only"
                   SOURCES ${EXAMPLES}/mpi/*.cpp ${EXAMPLES}/particles.cpp ${EXAMPLES}/task_bag.cpp
                           ${EXAMPLES}/particles_in_a_box.cpp ${EXAMPLES}/restart.cpp
                           ${CONSUMERS}/mpi_consumer/*.cpp)
    # The policy of the catalogue needs its libraries, too.
    build_examples(MPI COMPILER ${MPICXX} -std=c++20 PACKAGES equipoise-balancer-neighbours
                   SOURCES ${EXAMPLES}/mpi/neighbours_only.cpp
                           ${CONSUMERS}/mpi_consumer/*.cpp)
endif()
if(MPIEXEC AND MPICC)
    build_examples(MPI COMPILER ${MPICC} -std=c11 PACKAGES equipoise-c SOURCES ${EXAMPLES}/c/*.c)
    build_examples(MPI COMPILER ${MPICC} -std=c11 PACKAGES equipoise-c equipoise-c-neighbours
                   SOURCES ${CONSUMERS}/c_neighbours/*.c)
endif()
if(MPIEXEC AND MPIF90)
    file(MAKE_DIRECTORY ${SCRATCH}/pkg_config/modules)
    build_examples(MPI COMPILER ${MPIF90} -J${SCRATCH}/pkg_config/modules
                   PACKAGES equipoise-fortran SOURCES ${EXAMPLES}/fortran/*.f90)
    build_examples(MPI COMPILER ${MPIF90} -J${SCRATCH}/pkg_config/modules
                   PACKAGES equipoise-fortran equipoise-c-neighbours
                   SOURCES ${CONSUMERS}/fortran_neighbours/*.f90)
endif()
