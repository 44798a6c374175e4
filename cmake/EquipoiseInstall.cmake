# `cmake --install`: the program, one static library per room, the headers under their include
# paths, and the package that `find_package(Equipoise)` finds. It offers equipoise::equipoise (all
# rooms but those of components) and equipoise::<room>; with COMPONENTS mpi also equipoise::balancer
# and equipoise::mpi.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY EQUIPOISE_ROOMS)
get_property(mpi_rooms GLOBAL PROPERTY EQUIPOISE_MPI_ROOMS)
add_library(equipoise_equipoise INTERFACE)
target_link_libraries(equipoise_equipoise INTERFACE ${rooms})
add_library(equipoise::equipoise ALIAS equipoise_equipoise)

set(exported equipoise_options equipoise_equipoise ${rooms})
foreach(target IN LISTS exported mpi_rooms)
    string(REGEX REPLACE "^equipoise_" "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
endforeach()
install(TARGETS ${exported} EXPORT EquipoiseTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(mpi_rooms)
    install(TARGETS ${mpi_rooms} EXPORT EquipoiseMpiTargets
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET equipoise_program)
    install(TARGETS equipoise_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
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
     "^(cli/.*|capi/.*|base/json\\.hpp|report/json_tokens\\.hpp|trace/strict_json\\.hpp)$")
foreach(header IN LISTS public_headers)
    if(NOT header IN_LIST headers)
        message(FATAL_ERROR
                "cmake/EquipoisePublicHeaders.cmake: expected a header, found ${header}")
    endif()
endforeach()
foreach(header IN LISTS headers)
    set(place ${CMAKE_INSTALL_INCLUDEDIR})
    if(NOT header IN_LIST public_headers)
        string(APPEND place /equipoise-internal)
    endif()
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/equipoise/${header}
            DESTINATION ${place}/equipoise/${folder})
endforeach()
if(mpi_rooms)
    install(FILES ${PROJECT_SOURCE_DIR}/equipoise/capi/equipoise.h
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
# The module for the compiler that built it, and its source for others.
if(EQUIPOISE_WITH_FORTRAN)
    install(TARGETS equipoise_fortran ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(DIRECTORY ${PROJECT_BINARY_DIR}/equipoise/fortran/
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/equipoise-fortran FILES_MATCHING PATTERN *.mod)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/equipoise/capi/fortran
            DESTINATION ${CMAKE_INSTALL_DATADIR}/equipoise
            FILES_MATCHING PATTERN *.f90 PATTERN *.F90 PATTERN *.inc)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/equipoise
        FILES_MATCHING PATTERN *.json)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

include(EquipoisePkgConfig)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Equipoise)
install(EXPORT EquipoiseTargets NAMESPACE equipoise:: DESTINATION ${package_dir})
if(mpi_rooms)
    install(EXPORT EquipoiseMpiTargets NAMESPACE equipoise:: DESTINATION ${package_dir})
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/EquipoiseConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/EquipoiseConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/EquipoiseConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/EquipoiseConfig.cmake
              ${PROJECT_BINARY_DIR}/EquipoiseConfigVersion.cmake
        DESTINATION ${package_dir})
