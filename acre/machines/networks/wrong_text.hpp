// SPDX-License-Identifier: BSD-3-Clause
// For tests: the error that a reader has for a text.
#pragma once

#include <acre/machines/networks/source_text.hpp>

#include <string>

namespace acre::machines {

/// What is wrong with a text called "file", and the advice; or "no error". An error without advice
/// or without the name of the file counts as none.
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
