# Runs a command, whose output is then in `out`; ends with the command and its output if it fails.
function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(NOT status EQUAL 0)
        list(JOIN ARGV " " command)
        message(FATAL_ERROR "${command}\n${out}")
    endif()
    set(out "${out}" PARENT_SCOPE)
endfunction()
