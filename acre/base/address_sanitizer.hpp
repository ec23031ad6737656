// ACRE_ADDRESS_SANITIZER: 1 where the compiler makes code for AddressSanitizer, and 0 elsewhere. It
// has allocation functions of its own, and wants each block back to see who uses it then.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define ACRE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ACRE_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef ACRE_ADDRESS_SANITIZER
#define ACRE_ADDRESS_SANITIZER 0
#endif
