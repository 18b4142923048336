# find_package(svagen) gives svagen::sva, the generic library, svagen::svagen, the program, and svagen_generate().
include("${CMAKE_CURRENT_LIST_DIR}/svagenTargets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/svagenGenerate.cmake")
