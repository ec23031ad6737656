// SPDX-License-Identifier: BSD-3-Clause
// A library instance shared by launcher interface and conduit, as MPI can be initialised only once.
#pragma once

namespace acre::fabric {

/// Its users recognise the library by dynamic_cast. The last owner closes it.
class library_session {
 public:
  library_session() = default;
  library_session(const library_session&) = delete;
  library_session& operator=(const library_session&) = delete;
  virtual ~library_session() = default;
};

}  // namespace acre::fabric
