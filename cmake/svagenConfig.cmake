# find_package(svagen) gives svagen::sva, the generic library.
include("${CMAKE_CURRENT_LIST_DIR}/svagenTargets.cmake")
