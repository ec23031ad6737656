// SPDX-License-Identifier: BSD-3-Clause
// Error text of a reader, for tests.
#pragma once

#include <acre/machines/networks/source_text.hpp>

#include <string>

namespace acre::machines {

/// Error of `read`; "no error" also if it lacks the file name or advice.
template <class Read>
std::string wrong_with(Read&& read, std::string text) {
  try {
    static_cast<void>(read(source_text("file", std::move(text))));
  } catch (const error& failure) {
    const bool says_all = failure.problem().starts_with("file:") && !failure.advice().empty();
    return says_all ? failure.problem_and_advice() : "no error";
  }
  return "no error";
}

}  // namespace acre::machines
