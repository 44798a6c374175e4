# `cmake --install`: the program, the libraries, the headers under their include paths, and the
# package that `find_package(Equipoise)` finds. It offers equipoise::equipoise (all rooms but those
# of components) and equipoise::<room>; with COMPONENTS mpi also equipoise::balancer and
# equipoise::mpi. Parts can be installed by themselves (cmake --install build --component NAME):
# program, library, development, balancer, balancer-development, licence.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY EQUIPOISE_ROOMS)
get_property(mpi_rooms GLOBAL PROPERTY EQUIPOISE_MPI_ROOMS)
if(NOT EQUIPOISE_ONLY)
    add_library(equipoise_equipoise INTERFACE)
    target_link_libraries(equipoise_equipoise INTERFACE ${rooms})
    add_library(equipoise::equipoise ALIAS equipoise_equipoise)
endif()

# equipoise_install(<export> <component of what runs> <component of what is linked> <targets>)
function(equipoise_install export runs linked)
    foreach(target IN LISTS ARGN)
        get_target_property(name ${target} EXPORT_NAME)
        if(NOT name)
            string(REGEX REPLACE "^equipoise_" "" name ${target})
            set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
        endif()
    endforeach()
    install(TARGETS ${ARGN} EXPORT ${export}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${linked}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${runs}
                    NAMELINK_COMPONENT ${linked})
endfunction()

set(targets equipoise_options)
if(EQUIPOISE_SHARED)
    set_target_properties(equipoise_shared PROPERTIES EXPORT_NAME equipoise)
    equipoise_install(EquipoiseTargets library development equipoise_options equipoise_shared)
    equipoise_rooms_in(equipoise_shared EquipoiseTargets development ${rooms})
    if(mpi_rooms)
        set_target_properties(equipoise_balancer_shared PROPERTIES EXPORT_NAME balancer)
        equipoise_install(EquipoiseMpiTargets balancer balancer-development
                          equipoise_balancer_shared)
        set(others ${mpi_rooms})
        list(REMOVE_ITEM others equipoise_balancer)
        equipoise_rooms_in(equipoise_balancer_shared EquipoiseMpiTargets balancer-development
                           ${others})
    endif()
else()
    if(NOT EQUIPOISE_ONLY)
        list(APPEND targets equipoise_equipoise)
    endif()
    equipoise_install(EquipoiseTargets library development ${targets} ${rooms})
    if(mpi_rooms)
        equipoise_install(EquipoiseMpiTargets balancer balancer-development ${mpi_rooms})
    endif()
endif()
if(TARGET equipoise_program)
    install(TARGETS equipoise_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
            COMPONENT program)
endif()
# Public headers under include/; the others, which these include, under include/equipoise-internal.
# What names a library that users of the package need not have stays here.
include(EquipoisePublicHeaders)
set(public_headers ${EQUIPOISE_PUBLIC_HEADERS})
if(mpi_rooms)
    list(APPEND public_headers ${EQUIPOISE_PUBLIC_MPI_HEADERS})
endif()
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/equipoise
     ${PROJECT_SOURCE_DIR}/equipoise/*.hpp)
list(FILTER headers EXCLUDE REGEX
     "^((agent|cli|capi)/.*|(base/json(_documents|_value)?|report/tables/json_tokens)\\.hpp)$")
list(FILTER headers EXCLUDE REGEX "^adapters/(experts/yaml|kafka/documents)\\.hpp$")
foreach(header IN LISTS public_headers)
    if(NOT header IN_LIST headers)
        message(FATAL_ERROR
                "cmake/EquipoisePublicHeaders.cmake: expected a header, found ${header}")
    endif()
endforeach()
foreach(header IN LISTS headers)
    if(EQUIPOISE_ONLY AND NOT equipoise/${header} IN_LIST EQUIPOISE_ONLY_FILES)
        continue()
    endif()
    set(component development)
    if(EQUIPOISE_ONLY OR header MATCHES "^(mpi|balancer)/")
        set(component balancer-development)
    endif()
    set(place ${CMAKE_INSTALL_INCLUDEDIR})
    if(NOT header IN_LIST public_headers)
        string(APPEND place /equipoise-internal)
    endif()
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/equipoise/${header}
            DESTINATION ${place}/equipoise/${folder} COMPONENT ${component})
endforeach()
if(mpi_rooms)
    install(FILES ${PROJECT_SOURCE_DIR}/equipoise/capi/equipoise.h
            ${PROJECT_SOURCE_DIR}/equipoise/capi/equipoise_rows.h
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT balancer-development)
endif()
# The module for the compiler that built it, and its source for others.
if(EQUIPOISE_WITH_FORTRAN)
    install(TARGETS equipoise_fortran ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
            COMPONENT balancer-development)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/equipoise/fortran/
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/equipoise-fortran COMPONENT balancer-development
            FILES_MATCHING PATTERN *.mod)
    # Programs include it.
    install(FILES ${PROJECT_SOURCE_DIR}/equipoise/capi/fortran/equipoise_own_arguments.inc
                  ${PROJECT_SOURCE_DIR}/equipoise/capi/fortran/equipoise_own_columns.inc
                  ${PROJECT_SOURCE_DIR}/equipoise/capi/fortran/equipoise_own_type.inc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/equipoise-fortran COMPONENT balancer-development)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/equipoise/capi/fortran
            DESTINATION ${CMAKE_INSTALL_DATADIR}/equipoise COMPONENT balancer-development
            FILES_MATCHING PATTERN *.f90 PATTERN *.F90 PATTERN *.inc)
endif()
if(NOT EQUIPOISE_ONLY)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/equipoise
            COMPONENT program FILES_MATCHING PATTERN *.json)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT licence)

include(EquipoisePkgConfig)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Equipoise)
install(EXPORT EquipoiseTargets NAMESPACE equipoise:: DESTINATION ${package_dir}
        COMPONENT development)
if(mpi_rooms)
    install(EXPORT EquipoiseMpiTargets NAMESPACE equipoise:: DESTINATION ${package_dir}
            COMPONENT balancer-development)
endif()
# What static libraries still have to be linked with; the headers need the standard library alone.
set(EQUIPOISE_DEPENDENCIES "")
if(NOT EQUIPOISE_SHARED AND NOT EQUIPOISE_ONLY)
    string(APPEND EQUIPOISE_DEPENDENCIES "find_dependency(fmt)\n")
    if(OpenMP_CXX_FOUND)
        string(APPEND EQUIPOISE_DEPENDENCIES "find_dependency(OpenMP COMPONENTS CXX)\n")
    endif()
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/EquipoiseConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/EquipoiseConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/EquipoiseConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/EquipoiseConfig.cmake
              ${PROJECT_BINARY_DIR}/EquipoiseConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)
