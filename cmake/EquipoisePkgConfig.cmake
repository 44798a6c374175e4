# Files for pkg-config. Of static libraries --libs names all that they need, in the order in which
# linkers want it, of shared ones only these; MPI comes from its compiler wrappers.

# equipoise_link_order(<targets>): appends what they need to the global property
# EQUIPOISE_LINK_ORDER, every library after those that it needs.
function(equipoise_link_order)
    list(REVERSE ARGN)  # the whole list is reversed in the end, so that neighbours keep their order
    foreach(target IN LISTS ARGN)
        if(target MATCHES "OpenMP::OpenMP_CXX")
            set(target OpenMP::OpenMP_CXX)
        elseif(target MATCHES "^[$]<|^MPI::|^-|^equipoise_options$")
            continue()  # of the build alone, or of the compiler wrappers
        endif()
        get_property(seen GLOBAL PROPERTY EQUIPOISE_LINK_ORDER)
        if(target IN_LIST seen)
            continue()
        endif()
        if(target MATCHES "^equipoise_")
            get_target_property(type ${target} TYPE)
            if(type STREQUAL "INTERFACE_LIBRARY")
                get_target_property(needed ${target} INTERFACE_LINK_LIBRARIES)
            else()
                get_target_property(needed ${target} LINK_LIBRARIES)
            endif()
            equipoise_link_order(${needed})
        endif()
        set_property(GLOBAL APPEND PROPERTY EQUIPOISE_LINK_ORDER ${target})
    endforeach()
endfunction()

# equipoise_libraries(<variable> <target>): the words that link a target.
function(equipoise_libraries variable target)
    if(EQUIPOISE_SHARED)
        set(libraries "")
        if(target STREQUAL "equipoise_fortran")
            string(APPEND libraries " -lequipoise_fortran")
        endif()
        if(NOT target STREQUAL "equipoise_equipoise")
            string(APPEND libraries " -lequipoise-balancer")
        endif()
        if(target MATCHES "^equipoise_(equipoise|balancer)")
            string(APPEND libraries " -lequipoise")
        endif()
        set(${variable} "${libraries}" PARENT_SCOPE)
        return()
    endif()
    set_property(GLOBAL PROPERTY EQUIPOISE_LINK_ORDER "")
    equipoise_link_order(${target})
    get_property(order GLOBAL PROPERTY EQUIPOISE_LINK_ORDER)
    list(REVERSE order)
    set(libraries "")
    foreach(library IN LISTS order)
        if(library STREQUAL "OpenMP::OpenMP_CXX")
            foreach(part IN LISTS OpenMP_CXX_LIB_NAMES)
                string(APPEND libraries " -l${part}")
            endforeach()
        elseif(library MATCHES "^equipoise_")
            get_target_property(type ${library} TYPE)
            if(type STREQUAL "STATIC_LIBRARY")
                string(APPEND libraries " -l${library}")
            endif()
        else()
            string(REGEX REPLACE "^.*::" "" plain ${library})
            string(APPEND libraries " -l${plain}")
        endif()
    endforeach()
    foreach(library IN LISTS CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
        if(library MATCHES "^(stdc[+][+]|c[+][+]|c[+][+]abi|m)$")
            string(APPEND libraries " -l${library}")
        endif()
    endforeach()
    set(${variable} "${libraries}" PARENT_SCOPE)
endfunction()

# equipoise_pkg_config(<name> <component> <target> <flags> <description>): installs <name>.pc for
# programs that link the target.
function(equipoise_pkg_config name component target flags description)
    equipoise_libraries(libraries ${target})
    file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" up ${up})
    set(text "prefix=\${pcfiledir}/${up}\n")
    string(APPEND text "libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}\n"
           "includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}\n\n"
           "Name: ${name}\nDescription: ${description}\nVersion: ${PROJECT_VERSION}\n"
           "Cflags: ${flags}\nLibs: -L\${libdir}${libraries}\n")
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc CONTENT "${text}" @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endfunction()

set(cpp_flags "-I\${includedir} -I\${includedir}/equipoise-internal -ffp-contract=off")
if(NOT EQUIPOISE_ONLY)
    equipoise_pkg_config(equipoise development equipoise_equipoise "${cpp_flags}"
                         "${PROJECT_DESCRIPTION}")
endif()
if(mpi_rooms)
    equipoise_pkg_config(equipoise-balancer balancer-development equipoise_balancer "${cpp_flags}"
                         "The balancer for MPI programs in C++ (link with mpicxx)")
    equipoise_pkg_config(equipoise-c balancer-development equipoise_c "-I\${includedir}"
                         "The balancer for MPI programs in C (link with mpicc)")
endif()
if(TARGET equipoise_balancer_neighbours)
    equipoise_pkg_config(equipoise-balancer-neighbours balancer-development
                         equipoise_balancer_neighbours "${cpp_flags}"
                         "The same, with the policy neighbours-only")
    equipoise_pkg_config(equipoise-c-neighbours balancer-development equipoise_c_neighbours
                         "-I\${includedir}"
                         "The policy neighbours-only for programs in C and Fortran")
endif()
if(EQUIPOISE_WITH_FORTRAN)
    equipoise_pkg_config(equipoise-fortran balancer-development equipoise_fortran
                         "-I\${libdir}/equipoise-fortran"
                         "The balancer for MPI programs in Fortran (link with mpif90)")
endif()
