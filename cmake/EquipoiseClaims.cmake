# equipoise_list_claims(<target> <folder of pages>): what the pages of the algorithms say that
# records claim, as the table that equipoise/verify holds records to. A page that says
#     **Records claim.** single-port, discrepancy 1, one token a link.
# describes the algorithm that it is named after, and one that says
#     **Formerly.** old-name, older-name.
# also those that bore it by these names.
function(equipoise_list_claims target folder)
    file(GLOB pages CONFIGURE_DEPENDS ${folder}/*.md)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages})
    set(rows "")
    set(count 0)
    foreach(page IN LISTS pages)
        get_filename_component(name ${page} NAME_WE)
        file(STRINGS ${page} line REGEX "^\\*\\*Records claim\\.\\*\\* ")
        if(NOT line)
            continue()
        endif()
        string(REGEX REPLACE "^\\*\\*Records claim\\.\\*\\* (.*)\\.$" "\\1" words "${line}")
        string(REPLACE ", " ";" words "${words}")
        list(POP_FRONT words model)
        set(row ".model = \"${model}\"")
        # Fields in the order of KnownAlgorithm.
        foreach(field "goal_discrepancy=discrepancy ([0-9]+)" "goal_one_balanced=1-balanced"
                      "may_be_negative=loads below 0" "one_token_a_link=one token a link"
                      "serves_speeds=speeds" "on_tree=on a tree" "in_units=units"
                      "idealised_in_units=units if idealised"
                      "makes_tokens=makes tokens" "steps_at_once=rounds of ([0-9]+) steps")
            string(REGEX MATCH "^([a-z_]+)=(.*)$" matched "${field}")
            set(member ${CMAKE_MATCH_1})
            set(phrase "^${CMAKE_MATCH_2}$")
            foreach(word IN LISTS words)
                if(word MATCHES "${phrase}")
                    set(value true)
                    if(NOT "${CMAKE_MATCH_1}" STREQUAL "")
                        set(value ${CMAKE_MATCH_1})
                    endif()
                    string(APPEND row ", .${member} = ${value}")
                    list(REMOVE_ITEM words "${word}")
                endif()
            endforeach()
        endforeach()
        if(words OR NOT model MATCHES "^(single-port|single-token|multi-port|asynchronous)$")
            message(FATAL_ERROR "${page}: Records claim: expected the words of "
                                "equipoise/verify/known_algorithms.hpp, found \"${line}\"")
        endif()
        file(STRINGS ${page} former REGEX "^\\*\\*Formerly\\.\\*\\* ")
        string(REGEX REPLACE "^\\*\\*Formerly\\.\\*\\* (.*)\\.$" "\\1" former "${former}")
        string(REPLACE ", " ";" former "${former}")
        foreach(known IN LISTS name former)
            string(APPEND rows "    {.name = \"${known}\", ${row}},\n")
            math(EXPR count "${count} + 1")
        endforeach()
    endforeach()
    set(output ${CMAKE_CURRENT_BINARY_DIR}/known_algorithms_table.cpp)
    file(CONFIGURE OUTPUT ${output} CONTENT
"// Made by cmake/EquipoiseClaims.cmake.
#include <array>

#include \"equipoise/verify/known_algorithms.hpp\"

namespace equipoise::verify {

namespace {

constexpr std::array<KnownAlgorithm, ${count}> table = {{
${rows}}};

}  // namespace

std::span<const KnownAlgorithm> known_algorithms() {
    return table;
}

}  // namespace equipoise::verify
")
    target_sources(${target} PRIVATE ${output})
endfunction()
