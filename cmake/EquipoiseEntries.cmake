# equipoise_list_entries(<target> <folder>): compiles the list of the catalogue's entries into a
# target, from the names of the folder's files: x.cpp defines the entry `x::entry`. The rounds of
# the entries' rules are compiled in them, with all optimisations. CMake leaves files with options
# of their own out of its units, so units of entries are made here.
function(equipoise_list_entries target folder)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cpp)
    set(declared "")
    set(named "")
    foreach(file IN LISTS files)
        get_filename_component(name ${file} NAME_WE)
        string(APPEND declared "namespace ${name} {\nAlgorithm entry();\n}\n")
        string(APPEND named "        ${name}::entry(),\n")
    endforeach()
    set(output ${CMAKE_CURRENT_BINARY_DIR}/all_entries.cpp)
    file(CONFIGURE OUTPUT ${output} CONTENT
"// Made by cmake/EquipoiseEntries.cmake.
#include \"equipoise/catalogue/registry/entries/entries.hpp\"

namespace equipoise::catalogue::entries {

${declared}
std::vector<Algorithm> all() {
    return {
${named}    };
}

}  // namespace equipoise::catalogue::entries
")
    target_sources(${target} PRIVATE ${output})
    set(options ${EQUIPOISE_HOT_FLAGS})
    if(NOT CMAKE_UNITY_BUILD)
        set_source_files_properties(${files} PROPERTIES COMPILE_OPTIONS ${options})
        return()
    endif()
    set_source_files_properties(${files} PROPERTIES HEADER_FILE_ONLY ON)
    set(entries_in_unit 12)
    set(number 0)
    while(files)
        list(SUBLIST files 0 ${entries_in_unit} taken)
        list(REMOVE_ITEM files ${taken})
        list(TRANSFORM taken REPLACE "(.+)" "#include \"\\1\"\n")
        list(JOIN taken "" included)
        set(unit ${CMAKE_CURRENT_BINARY_DIR}/entries_${number}.cpp)
        file(CONFIGURE OUTPUT ${unit}
             CONTENT "// Made by cmake/EquipoiseEntries.cmake.\n${included}")
        set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS ${options})
        target_sources(${target} PRIVATE ${unit})
        math(EXPR number "${number} + 1")
    endwhile()
endfunction()
