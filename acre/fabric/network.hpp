// The class through which the runtime speaks to the network: the abstract
// conduit, or, in a build with the conduit fixed, the one that was named, so
// that its calls inline.
#pragma once

#if defined(ACRE_FIXED_CONDUIT_OFI) && ACRE_FIXED_CONDUIT_OFI
#include <acre/fabric/ofi.hpp>
namespace acre::fabric {
using network = ofi;
}
#else
#include <acre/fabric/conduit.hpp>
namespace acre::fabric {
using network = conduit;
}
#endif
