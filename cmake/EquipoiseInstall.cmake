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
# What names a library that users of the package need not have stays here.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/equipoise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "cli" EXCLUDE
        REGEX "/(base/json|report/json_tokens)\\.hpp$" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

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
