// SPDX-License-Identifier: BSD-3-Clause
// An instance of a library that somebody has opened in this process, and that others may use too.
#pragma once

namespace acre::fabric {

/// A library shared by starter and conduit, as MPI can be opened only once. Conduits recognise
/// theirs by dynamic_cast. The last owner closes it.
class library_session {
 public:
  library_session() = default;
  library_session(const library_session&) = delete;
  library_session& operator=(const library_session&) = delete;
  virtual ~library_session() = default;
};

}  // namespace acre::fabric
