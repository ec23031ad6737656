// What a call does that a program repeats until something has happened: gasnet_AMPoll() and all
// that try.
#pragma once

namespace acre::gasnet {

/// Makes progress, also of a barrier that this node has notified. Lets others have the core when
/// many in a row have found nothing.
void poll(const char* call);

}  // namespace acre::gasnet
