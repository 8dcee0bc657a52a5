# corels_cffi_module(<target> PACKAGE <python package> HEADERS <header> ... [SOURCES ...] [LINK ...])
#
# Builds <python package>/_native.abi3.so. The public headers are the cffi declarations: the text
# between their lines `/* cffi: begin */` and `/* cffi: end */` is handed to cffi as it stands.
set(CORELS_CFFI_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/emit_cffi.py")

function(corels_cffi_module target)
  cmake_parse_arguments(ARG "" "PACKAGE" "HEADERS;SOURCES;LINK" ${ARGN})
  set(glue "${CMAKE_CURRENT_BINARY_DIR}/${target}_glue.c")
  add_custom_command(
    OUTPUT "${glue}"
    COMMAND Python::Interpreter "${CORELS_CFFI_SCRIPT}" ${ARG_PACKAGE}._native "${glue}"
            ${ARG_HEADERS}
    DEPENDS ${ARG_HEADERS} "${CORELS_CFFI_SCRIPT}"
    VERBATIM)
  python_add_library(${target} MODULE USE_SABI 3.11 WITH_SOABI "${glue}" ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME _native)
  target_link_libraries(${target} PRIVATE ${ARG_LINK})
  # The glue is generated code: our warnings are for our code.
  set_source_files_properties("${glue}" PROPERTIES COMPILE_OPTIONS "-w")
  install(TARGETS ${target} LIBRARY DESTINATION ${ARG_PACKAGE})
endfunction()
