# equipoise_shared_library(<target> NAME <file's name> ROOMS <rooms> LIBRARIES <what it links>)
# One shared library of the objects of rooms, which are compiled once for it and for the static
# libraries, which the program and the Python package are made from.
function(equipoise_shared_library target)
    cmake_parse_arguments(ARG "" "NAME" "ROOMS;LIBRARIES" ${ARGN})
    set(objects "")
    foreach(room IN LISTS ARG_ROOMS)
        get_target_property(type ${room} TYPE)
        if(type STREQUAL "STATIC_LIBRARY")
            list(APPEND objects $<TARGET_OBJECTS:${room}>)
        endif()
    endforeach()
    add_library(${target} SHARED ${objects})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${ARG_NAME} LINKER_LANGUAGE CXX
                          SOVERSION ${EQUIPOISE_SOVERSION})
    target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} INTERFACE equipoise_options)
    target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:include>
                               $<INSTALL_INTERFACE:include/equipoise-internal>)
endfunction()

# equipoise_rooms_in(<shared library> <export> <component> <rooms>): programs that name a room get
# the shared library.
function(equipoise_rooms_in library export component)
    foreach(room IN LISTS ARGN)
        string(REGEX REPLACE "^equipoise_" "" name ${room})
        add_library(${room}_in_shared INTERFACE)
        target_link_libraries(${room}_in_shared INTERFACE ${library})
        set_target_properties(${room}_in_shared PROPERTIES EXPORT_NAME ${name})
        install(TARGETS ${room}_in_shared EXPORT ${export} COMPONENT ${component})
    endforeach()
endfunction()
