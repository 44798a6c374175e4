# The languages of programs that call the balancer, beside C++: C, for the tests and examples of
# equipoise.h (the library itself is C++).
include(CheckLanguage)
if(MPI_CXX_FOUND AND EQUIPOISE_TESTS)
    check_language(C)
    if(CMAKE_C_COMPILER)
        enable_language(C)
        set(CMAKE_C_STANDARD 11)
        set(CMAKE_C_STANDARD_REQUIRED ON)
        set(CMAKE_C_EXTENSIONS OFF)
    else()
        message(STATUS "no examples in C: there is no C compiler")
    endif()
endif()
