// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/traffic/traffic_file.hpp>

#include <acre/base/byte_order_mark.hpp>
#include <acre/base/error.hpp>
#include <acre/base/gzip_stream.hpp>
#include <acre/machines/networks/source_text.hpp>
#include <acre/machines/traffic/matrix_market.hpp>
#include <acre/machines/traffic/metis.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string_view>

namespace acre::machines {
namespace {

constexpr const char* call = "machines::read_communication";

std::string decompressed(const std::string& path, std::string text) {
  const auto compressed = std::as_bytes(std::span(text));
  if (!begins_as_gzip(compressed)) return text;
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::string found;
  gzip_stream stream;
  std::size_t given = 0;
  for (bool is_full = true; is_full || given < compressed.size();) {
    if (stream.input_left() == 0) {
      const auto next = compressed.subspan(given, std::min(piece, compressed.size() - given));
      stream.give(next);
      given += next.size();
    }
    found.resize(found.size() + piece);
    const auto room = std::as_writable_bytes(std::span(found)).last(piece);
    const auto taken = stream.take(room);
    is_full = taken == piece;
    const bool goes_on = is_full || given < compressed.size();
    if (taken && (goes_on || stream.is_between_members())) {
      found.resize(found.size() - piece + *taken);
      continue;
    }
    throw error(call, path + ": the gzip data is corrupt or truncated", "check it with: gzip -t");
  }
  return found;
}

std::string content_of(const std::string& path) {
  if (std::filesystem::is_directory(path))
    throw error(call, path + " is a directory", "name a file");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  // An empty file sets the output stream's failbit only.
  if (!file || file.bad()) throw error(call, path + " cannot be read: " + std::strerror(errno));
  return without_byte_order_mark(decompressed(path, std::move(text).str()));
}

bool begins_as_matrix_market(std::string_view text) {
  constexpr std::string_view mark = "%%matrixmarket";
  return same_word(text.substr(0, mark.size()), mark);
}

bool begins_as_metis(std::string_view text) {
  std::string_view line;
  do {
    line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  } while (!text.empty() && (line.empty() || line.starts_with('%')));
  return line.find_first_of("0123456789") != std::string_view::npos &&
         line.find_first_not_of("0123456789 \t\r") == std::string_view::npos;
}

}  // namespace

mapping::communication read_communication(const std::string& path) {
  const std::string text = content_of(path);
  const std::string name = std::filesystem::path(path).filename();
  if (begins_as_matrix_market(text)) return read_matrix_market(text, name);
  if (begins_as_metis(text)) return read_metis(text, name);
  throw error(
      call, path + " has an unknown traffic format",
      "begin a Matrix Market file with %%MatrixMarket, or a graph of METIS with the numbers of "
      "its vertices and edges");
}

}  // namespace acre::machines
