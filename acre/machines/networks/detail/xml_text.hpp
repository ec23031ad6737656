// SPDX-License-Identifier: BSD-3-Clause
// Parses XML by pugixml; errors contain the line.
#pragma once

#include <acre/machines/networks/source_text.hpp>

#include <algorithm>
#include <cstddef>
#include <pugixml.hpp>
#include <string>

namespace acre::machines {

/// @param offset of pugixml; -1 if unknown
inline std::size_t line_of(const source_text& file, std::ptrdiff_t offset) {
  return file.line_of(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)));
}

inline pugi::xml_document parse_xml(const source_text& file) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(file.text().data(), file.text().size());
  if (!parsed) {
    file.fail(line_of(file, parsed.offset),
              "the XML is invalid: " + std::string(parsed.description()),
              "check that the file is complete");
  }
  return document;
}

}  // namespace acre::machines
