/* Version of the library, and the mark of what it exports. */
#ifndef SVA_EXPORT_H
#define SVA_EXPORT_H

#define SVA_VERSION_MAJOR 0
#define SVA_VERSION_MINOR 1
#define SVA_VERSION_PATCH 0
#define SVA_VERSION       "0.1.0"

/* Users of a DLL define SVA_SHARED, its build SVA_BUILDING as well; the CMake package does so. */
#if defined(_WIN32) && defined(SVA_SHARED) && defined(SVA_BUILDING)
#define SVA_API __declspec(dllexport)
#elif defined(_WIN32) && defined(SVA_SHARED)
#define SVA_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define SVA_API __attribute__((visibility("default")))
#else
#define SVA_API
#endif

#endif
