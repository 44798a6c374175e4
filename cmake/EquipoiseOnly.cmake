# EQUIPOISE_ONLY=balancer builds the balancer alone, for machines that have a compiler and MPI and
# nothing else: of each room, the files that the balancer reaches by includes.

# equipoise_reached(<variable> <files>): the files, what they include, and the .cpp of each header;
# paths from the root.
function(equipoise_reached variable)
    set(waiting ${ARGN})
    set(reached "")
    while(waiting)
        list(POP_FRONT waiting file)
        if(file IN_LIST reached)
            continue()
        endif()
        list(APPEND reached ${file})
        file(STRINGS ${PROJECT_SOURCE_DIR}/${file} lines REGEX "^#include [\"<]equipoise/")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE "^#include [\"<]([^\">]*).*" "\\1" header "${line}")
            list(APPEND waiting ${header})
        endforeach()
        string(REGEX REPLACE "\\.hpp$" ".cpp" source ${file})
        if(EXISTS ${PROJECT_SOURCE_DIR}/${source})
            list(APPEND waiting ${source})
        endif()
    endwhile()
    set(${variable} ${reached} PARENT_SCOPE)
endfunction()

set(EQUIPOISE_ONLY_FILES "")
if(EQUIPOISE_ONLY STREQUAL "balancer")
    file(GLOB_RECURSE starts CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
         ${PROJECT_SOURCE_DIR}/equipoise/balancer/*.?pp ${PROJECT_SOURCE_DIR}/equipoise/capi/*.?pp)
    list(FILTER starts EXCLUDE REGEX "/neighbours/")
    equipoise_reached(EQUIPOISE_ONLY_FILES ${starts})
elseif(EQUIPOISE_ONLY)
    message(FATAL_ERROR "EQUIPOISE_ONLY: expected balancer or nothing, found ${EQUIPOISE_ONLY}")
endif()
