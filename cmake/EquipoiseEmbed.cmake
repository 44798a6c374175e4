# equipoise_embed(<target> <namespace> <folder> <function> <file>...): compiles files into a
# target, in which equipoise/<folder>/<function>s.hpp declares equipoise::<namespace>::<function>,
# from their names to their contents.
function(equipoise_embed target namespace folder function)
    string(REPLACE ";" "|" inputs "${ARGN}")
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}s.cpp)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DFUNCTION=${function} -DNAMESPACE=${namespace}
                -DHEADER=equipoise/${folder}/${function}s.hpp "-DINPUTS=${inputs}"
                -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake
        DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake
        COMMENT "Embedding ${function}s" VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()

# equipoise_embed_page(<target>): compiles the pages' files and the chart library into a target.
function(equipoise_embed_page target)
    find_file(EQUIPOISE_CHART_JS chart.min.js
              PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist
              NO_DEFAULT_PATH DOC "The chart library of the page (Chart.js 3, chart.min.js)")
    if(NOT EQUIPOISE_CHART_JS)
        message(FATAL_ERROR "chart.min.js not found: install the Debian package libjs-chart.js, "
                            "or give its path as -DEQUIPOISE_CHART_JS=<file>")
    endif()
    set(folder ${PROJECT_SOURCE_DIR}/equipoise/report/page/browser)
    set(files ${EQUIPOISE_CHART_JS})
    foreach(name IN ITEMS frame.html look.css look.js numbers.js player.js player.html
                          page.html page.css colours.js model.js drawing.js panels.js
                          terms.js charts.js texts.js table.js controls.js page.js
                          plan.html plan.js plan.css
                          fleet/fleet.html fleet/fleet.css fleet/fleet.js
                          experts/experts.html experts/experts.css experts/experts.js
                          reassign/reassign.html reassign/reassign.css reassign/plan_course.js
                          reassign/machine_bars.js reassign/move_list.js reassign/reassign.js)
        list(APPEND files ${folder}/${name})
    endforeach()
    equipoise_embed(${target} report report/page page_file ${files})
endfunction()

# equipoise_embed_schemas(<target>): compiles the schemas of what sweeps write down into a target.
function(equipoise_embed_schemas target)
    set(files "")
    foreach(verb IN ITEMS run plan analyze worst reassign)
        list(APPEND files ${PROJECT_SOURCE_DIR}/schemas/equipoise-${verb}.json)
    endforeach()
    equipoise_embed(${target} report report/tables schema_file ${files})
endfunction()
