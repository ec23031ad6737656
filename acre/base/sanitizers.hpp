// SPDX-License-Identifier: BSD-3-Clause
// Detects sanitizers. For AddressSanitizer, pools must free blocks at once.
#pragma once

#if defined(__has_feature)
#define ACRE_HAS_SANITIZER(name) __has_feature(name)
#else
#define ACRE_HAS_SANITIZER(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || ACRE_HAS_SANITIZER(address_sanitizer)
#define ACRE_ADDRESS_SANITIZER 1
#else
#define ACRE_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__) || ACRE_HAS_SANITIZER(thread_sanitizer)
#define ACRE_THREAD_SANITIZER 1
#else
#define ACRE_THREAD_SANITIZER 0
#endif

#undef ACRE_HAS_SANITIZER
