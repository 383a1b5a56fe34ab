// SPDX-License-Identifier: MIT
// Contract checks for programming errors. What a caller can get wrong is a Status, never a check.
#ifndef HEED_BASE_CHECK_H_
#define HEED_BASE_CHECK_H_

#if defined(HEED_DEBUG_CHECKS)
#include <cstdio>
#include <cstdlib>
#define HEED_DCHECK(condition)                                                          \
  do {                                                                                  \
    if (!(condition)) {                                                                 \
      std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                     \
    }                                                                                   \
  } while (false)
#else
// The operand is still compiled, so that a check cannot rot and its variables count as used.
#define HEED_DCHECK(condition) \
  do {                         \
    if (false) {               \
      (void)(condition);       \
    }                          \
  } while (false)
#endif

#endif  // HEED_BASE_CHECK_H_
