// SPDX-License-Identifier: BSD-3-Clause
// An instance of a library that somebody has opened in this process, and that others may use too.
#pragma once

namespace acre::fabric {

/// Some libraries start a job and also carry its bytes, as MPI does, and are opened once in a
/// process. Who opens one to start the job hands it on as a class derived from this; a conduit
/// looks by dynamic_cast whether it is its library, and opens its own where it is not. The library
/// is closed when nobody holds the session any more.
class library_session {
 public:
  library_session() = default;
  library_session(const library_session&) = delete;
  library_session& operator=(const library_session&) = delete;
  virtual ~library_session() = default;
};

}  // namespace acre::fabric
