# equipoise_list_entries(<target> <folder>): compiles the list of the catalogue's entries into a
# target, from the names of the folder's files: x.cpp defines the entry `x`.
function(equipoise_list_entries target folder)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cpp)
    set(declared "")
    set(named "")
    foreach(file IN LISTS files)
        get_filename_component(name ${file} NAME_WE)
        string(APPEND declared "Algorithm ${name}();\n")
        string(APPEND named "        ${name}(),\n")
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
endfunction()
