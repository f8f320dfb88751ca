# Run at build time: writes which revision this is, and touches the file only when that changed, so
# that a commit recompiles one file. Whatever goes wrong (no git, an archive, a checkout of another
# owner, an archive unpacked inside somebody else's repository) is the revision "unknown".
#   cmake -DSOURCE=DIR -DVERSION=X -DINPUT=version.cpp.in -DOUTPUT=FILE -P revision.cmake
set(REVISION unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(
    COMMAND ${GIT} --no-optional-locks describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY ${SOURCE}
    RESULT_VARIABLE failed
    OUTPUT_VARIABLE answer
    ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed AND answer MATCHES "^[0-9a-f]+(-dirty)?$")
    set(REVISION ${answer})
  endif()
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
