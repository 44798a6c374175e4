# equipoise_is_threaded(<variable> <libraries>): whether one of them brings OpenMP's flags along.
function(equipoise_is_threaded variable)
    get_property(threaded GLOBAL PROPERTY EQUIPOISE_THREADED)
    set(${variable} OFF PARENT_SCOPE)
    foreach(library IN LISTS ARGN)
        if(library MATCHES "OpenMP" OR library IN_LIST threaded)
            set(${variable} ON PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# equipoise_position_independent(<target>): for static libraries that the Python module links too.
# Without semantic interposition the compiler still inlines all that it would in a program, and the
# linker of a program makes direct accesses of those through tables.
function(equipoise_position_independent target)
    target_compile_options(${target} PRIVATE -fPIC -fno-semantic-interposition)
endfunction()

# equipoise_room(<name> DIRS <folders below equipoise/> [EXCEPT <folders below equipoise/>]
#                [DEPENDS <libraries>] [HEADER_ONLY <libraries>] [COMPONENT <component>]
#                [PRECOMPILED <headers of cmake/EquipoisePrecompiled.cmake>])
# One static library per room, from all .cpp files of its folders. HEADER_ONLY names libraries that
# only the .cpp files include and that leave nothing to link: users of the room never see them. A
# room with a COMPONENT is installed as part of that component, which users of the package ask for.
function(equipoise_room name)
    cmake_parse_arguments(ARG "" "COMPONENT;PRECOMPILED" "DIRS;EXCEPT;DEPENDS;HEADER_ONLY" ${ARGN})
    set(sources "")
    foreach(dir IN LISTS ARG_DIRS)
        file(GLOB_RECURSE found CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/equipoise/${dir}/*.cpp
             ${PROJECT_SOURCE_DIR}/equipoise/${dir}/*.hpp)
        list(APPEND sources ${found})
    endforeach()
    foreach(dir IN LISTS ARG_EXCEPT)
        list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/equipoise/${dir}/")
    endforeach()
    if(EQUIPOISE_ONLY)
        set(reached ${EQUIPOISE_ONLY_FILES})
        list(TRANSFORM reached PREPEND ${PROJECT_SOURCE_DIR}/)
        foreach(source IN LISTS sources)
            if(NOT source IN_LIST reached)
                list(REMOVE_ITEM sources ${source})
            endif()
        endforeach()
    endif()
    set(compiled ${sources})
    list(FILTER compiled INCLUDE REGEX "\\.cpp$")
    if(compiled)
        add_library(equipoise_${name} STATIC ${sources})
        equipoise_position_independent(equipoise_${name})
        set(scope PUBLIC)
    else()
        add_library(equipoise_${name} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_include_directories(equipoise_${name} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>
        $<INSTALL_INTERFACE:include/equipoise-internal>)
    target_link_libraries(equipoise_${name} ${scope} equipoise_options ${ARG_DEPENDS})
    if(compiled)
        foreach(library IN LISTS ARG_HEADER_ONLY)
            target_link_libraries(equipoise_${name} PRIVATE $<BUILD_INTERFACE:${library}>)
        endforeach()
        equipoise_is_threaded(threaded ${ARG_DEPENDS})
        set(precompiled equipoise_precompiled_serial)
        if(threaded)
            set_property(GLOBAL APPEND PROPERTY EQUIPOISE_THREADED equipoise_${name})
            set(precompiled equipoise_precompiled_threaded)
        endif()
        if(ARG_PRECOMPILED)
            set(precompiled ${ARG_PRECOMPILED})
        endif()
        equipoise_use_precompiled(equipoise_${name} ${precompiled})
    endif()
    add_library(equipoise::${name} ALIAS equipoise_${name})
    string(TOUPPER "EQUIPOISE_${ARG_COMPONENT}_ROOMS" rooms)
    string(REPLACE "__" "_" rooms ${rooms})
    set_property(GLOBAL APPEND PROPERTY ${rooms} equipoise_${name})
endfunction()

# equipoise_compiles_quickly(<target>): for what calls others to do the work. The time that
# compilation takes then counts for more than the last bit of speed; hot files take back what the
# other rooms have.
function(equipoise_compiles_quickly target)
    target_compile_options(${target} PRIVATE ${EQUIPOISE_QUICK_FLAGS})
    equipoise_unlike_precompiled(${target})
endfunction()

# equipoise_unlike_precompiled(<target>): whose flags differ from those of its precompiled headers.
# Clang refuses them where one of both has -O0.
function(equipoise_unlike_precompiled target)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
    endif()
endfunction()

# equipoise_test_objects(<name> DIR <folder below tests/> LIBRARIES <libraries>)
# All *_test.cpp of a folder (and below), compiled for several test programs.
function(equipoise_test_objects name)
    cmake_parse_arguments(ARG "" "DIR" "LIBRARIES" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${ARG_DIR}/*_test.cpp)
    add_library(${name} OBJECT ${sources})
    target_link_libraries(${name} PRIVATE equipoise_options equipoise_test_support ${ARG_LIBRARIES})
    target_compile_options(${name} PRIVATE ${EQUIPOISE_QUICK_FLAGS})
    equipoise_use_precompiled(${name} equipoise_precompiled_tests)
endfunction()

# equipoise_tests(<name> [SEARCHES] [DIR <folder below tests/>]
#                 [OBJECTS <of equipoise_test_objects>...]
#                 LIBRARIES <libraries> LABELS <label> [SOURCES <further sources below tests/>])
# One test program from all *_test.cpp of a folder (and below), and from objects. It is compiled
# quickly, unless it SEARCHES: tries many answers, or plays long courses. CTest knows its
# tests by the label, except the suites whose names end in `Long`: their label is `long`, and `./dev
# test --long` runs them. The target all_<label>_tests builds all programs of a label.
function(equipoise_tests name)
    cmake_parse_arguments(ARG "SEARCHES" "DIR;LABELS" "OBJECTS;LIBRARIES;SOURCES" ${ARGN})
    set(sources "")
    if(ARG_DIR)
        file(GLOB_RECURSE sources CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/tests/${ARG_DIR}/*_test.cpp)
    endif()
    foreach(objects IN LISTS ARG_OBJECTS)
        list(APPEND sources $<TARGET_OBJECTS:${objects}>)
    endforeach()
    if(NOT sources)
        return()
    endif()
    foreach(source IN LISTS ARG_SOURCES)
        list(APPEND sources ${PROJECT_SOURCE_DIR}/tests/${source})
    endforeach()
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE equipoise_options equipoise_test_support ${ARG_LIBRARIES}
                          GTest::gtest_main)
    equipoise_use_precompiled(${name} equipoise_precompiled_tests)
    if(ARG_SEARCHES)  # g++ 12 fails on a unit of them with -O2
        target_compile_options(${name} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
        equipoise_unlike_precompiled(${name})
    else()
        target_compile_options(${name} PRIVATE ${EQUIPOISE_QUICK_FLAGS})
    endif()
    # Waiting threads sleep, since tests run side by side on few cores.
    gtest_discover_tests(${name} TEST_FILTER "-*Long.*" TEST_LIST ${name}_list
                         DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${ARG_LABELS}
                         ENVIRONMENT OMP_WAIT_POLICY=passive)
    gtest_discover_tests(${name} TEST_FILTER "*Long.*" TEST_LIST ${name}_long_list
                         DISCOVERY_TIMEOUT 60 PROPERTIES LABELS long
                         ENVIRONMENT OMP_WAIT_POLICY=passive)
    if(NOT TARGET all_${ARG_LABELS}_tests)
        add_custom_target(all_${ARG_LABELS}_tests)
    endif()
    add_dependencies(all_${ARG_LABELS}_tests ${name})
endfunction()

# equipoise_mpi_tests(<name> DIR <folder below tests/> OBJECTS <of equipoise_test_objects>...
#                     LIBRARIES <libraries> RANKS <numbers>)
# One test program from all *_test.cpp of a folder and from objects, run under mpirun once for every
# number of ranks. A failure on any rank fails the test on all (tests/support/mpi_main.cpp). Ranks
# that outnumber the processors wait for each other at every step, which takes most of a minute.
# Suites whose names end in `Long` are run on 2 ranks with the label `long`. With that label the
# objects' long lists of cases are played whole on the largest number of ranks, where else some are
# (tests/support/ranks.hpp). The target all_mpi_tests builds all of them.
function(equipoise_mpi_tests name)
    cmake_parse_arguments(ARG "" "DIR" "OBJECTS;LIBRARIES;RANKS" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${ARG_DIR}/*_test.cpp)
    foreach(objects IN LISTS ARG_OBJECTS)
        list(APPEND sources $<TARGET_OBJECTS:${objects}>)
    endforeach()
    add_executable(${name} ${sources}
                           ${PROJECT_SOURCE_DIR}/tests/support/mpi_main.cpp
                           ${PROJECT_SOURCE_DIR}/tests/support/mpi_ranks.cpp)
    target_compile_options(${name} PRIVATE ${EQUIPOISE_QUICK_FLAGS})
    target_link_libraries(${name} PRIVATE equipoise_options equipoise_test_support ${ARG_LIBRARIES}
                          GTest::gtest)
    foreach(ranks IN LISTS ARG_RANKS)
        equipoise_mpi_run(${name}_on_${ranks}_ranks ${ranks} $<TARGET_FILE:${name}>
                          --gtest_filter=-*Long.*)
        set_tests_properties(${name}_on_${ranks}_ranks PROPERTIES LABELS mpi)
    endforeach()
    equipoise_mpi_run(${name}_long_on_2_ranks 2 $<TARGET_FILE:${name}> --gtest_filter=*Long.*)
    set_tests_properties(${name}_long_on_2_ranks PROPERTIES LABELS long)
    if(ARG_OBJECTS)
        list(GET ARG_RANKS -1 ranks)
        set(test ${name}_all_cases_on_${ranks}_ranks)
        equipoise_mpi_run(${test} ${ranks} $<TARGET_FILE:${name}> --gtest_filter=-*Long.*)
        set_tests_properties(${test} PROPERTIES LABELS long TIMEOUT 900)
        set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT EQUIPOISE_ALL_CASES=1)
    endif()
    if(NOT TARGET all_mpi_tests)
        add_custom_target(all_mpi_tests)
    endif()
    add_dependencies(all_mpi_tests ${name})
endfunction()

# equipoise_mpi_run(<test> <ranks> <command>...): a test that runs a command under mpirun.
function(equipoise_mpi_run test ranks)
    add_test(NAME ${test} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks}
                                  ${MPIEXEC_PREFLAGS} ${ARGN} ${MPIEXEC_POSTFLAGS})
    set_tests_properties(${test} PROPERTIES TIMEOUT 900 PROCESSORS 2
                         ENVIRONMENT "${EQUIPOISE_MPI_ENVIRONMENT}")
endfunction()

# equipoise_run_example(<name> <target> <expected> [<arguments>]): runs an example on several
# numbers of ranks. In the regular expression that it must print, @last@ is the last rank; if every
# rank has 100 items, numbered from 0, those of the last rank are @hundreds@ to @hundreds_end@;
# @tens@ is 10 for each rank, and 0 on one rank.
function(equipoise_run_example name target expected)
    foreach(ranks IN ITEMS 1 2 3 4 7)
        math(EXPR last "${ranks} - 1")
        math(EXPR hundreds "100 * ${last}")
        math(EXPR hundreds_end "${hundreds} + 99")
        set(tens 0)
        if(ranks GREATER 1)
            math(EXPR tens "10 * ${ranks}")
        endif()
        string(CONFIGURE "${expected}" regex @ONLY)
        set(test mpi_example_${name}_on_${ranks}_ranks)
        equipoise_mpi_run(${test} ${ranks} $<TARGET_FILE:${target}> ${ARGN})
        set_tests_properties(${test} PROPERTIES LABELS mpi PASS_REGULAR_EXPRESSION "${regex}"
                             FAIL_REGULAR_EXPRESSION "noticed that|detected that|BAD TERMINATION")
    endforeach()
    add_dependencies(all_mpi_tests ${target})
endfunction()

# Waiting ranks yield their processor, since there may be fewer processors than ranks. Containers
# run as root, have no remote shell, and may forbid ranks to read each other's memory.
set(EQUIPOISE_MPI_ENVIRONMENT
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
    OMPI_MCA_plm=isolated OMP_WAIT_POLICY=passive)
