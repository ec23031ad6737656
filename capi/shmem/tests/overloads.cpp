// The overloads of C++, by the same test as the generic routines of C11.
#include "generics.c"
