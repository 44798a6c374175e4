# equipoise_describe_command_line(<source> <objects>): the target describe_command_line writes the
# build folder's command-line.json, which says all that the help of the program and of its verbs
# says; with Python also manuals (man/) and completion for bash and zsh (completion/), which are
# installed.
function(equipoise_describe_command_line source objects)
    add_executable(equipoise_describe ${source})
    target_link_libraries(equipoise_describe PRIVATE ${objects} equipoise_cli)
    equipoise_position_independent(equipoise_describe)
    equipoise_use_precompiled(equipoise_describe equipoise_precompiled_threaded)
    equipoise_compiles_quickly(equipoise_describe)
    set(json ${PROJECT_BINARY_DIR}/command-line.json)
    add_custom_command(OUTPUT ${json} COMMAND equipoise_describe > ${json}
                       DEPENDS equipoise_describe COMMENT "Describing the command line" VERBATIM)
    set(made ${json})
    find_package(Python3 COMPONENTS Interpreter)
    if(Python3_FOUND)
        set(tool ${PROJECT_SOURCE_DIR}/tools/command_line.py)
        set(man ${PROJECT_BINARY_DIR}/man)
        set(completion ${PROJECT_BINARY_DIR}/completion)
        add_custom_command(
            OUTPUT ${man}/equipoise.1 ${completion}/equipoise ${completion}/_equipoise
            COMMAND ${Python3_EXECUTABLE} ${tool} --man ${man} --bash ${completion}/equipoise
                    --zsh ${completion}/_equipoise ${json}
            DEPENDS ${json} ${tool} COMMENT "Writing manuals and completion" VERBATIM)
        list(APPEND made ${man}/equipoise.1)
        include(GNUInstallDirs)
        install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
                OPTIONAL COMPONENT program)
        install(FILES ${completion}/equipoise OPTIONAL COMPONENT program
                DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
        install(FILES ${completion}/_equipoise OPTIONAL COMPONENT program
                DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    else()
        message(STATUS "no manuals and no completion: there is no Python")
    endif()
    add_custom_target(describe_command_line ALL DEPENDS ${made})
endfunction()
