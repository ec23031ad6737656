// SPDX-License-Identifier: BSD-3-Clause
#include "window_files.hpp"

#include "matrix_file.hpp"
#include "messages_file.hpp"
#include "trace_parts.hpp"
#include <acre/base/error.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace acre::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".mtx";

std::string without_ending(const std::string& bytes_file) {
  return bytes_file.ends_with(ending) ? bytes_file.substr(0, bytes_file.size() - ending.size())
                                      : bytes_file;
}

bool are_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string seconds(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", number);
  return text;
}

bool write_matrices(const std::string& name, std::size_t ranks,
                    const std::vector<sent_bytes>& entries,
                    const std::vector<std::string>& remarks) {
  matrix_file bytes(name);
  matrix_file messages(messages_file(name));
  bytes.begin("bytes", ranks, entries.size(), remarks);
  messages.begin("messages", ranks, entries.size(), remarks);
  for (const sent_bytes& each : entries) {
    bytes.add(each.from, each.to, each.bytes);
    messages.add(each.from, each.to, each.messages);
  }
  const bool has_bytes = bytes.end();
  return messages.end() && has_bytes;
}

struct sum {
  std::size_t windows = 0;
  double end = 0;
  std::size_t missing = 0;  ///< ranks without the last window
  std::vector<sent_bytes> entries;
  std::vector<std::string> communicators;

  void add(const trace_window& each) {
    ++windows;
    end = each.end;
    missing = each.missing;
    entries.insert(entries.end(), each.entries.begin(), each.entries.end());
    add_up(entries);
    communicators.insert(communicators.end(), each.communicators.begin(), each.communicators.end());
  }
};

std::vector<std::string> head_of(const trace_parts& parts) {
  return {"program: " + parts.program(), "ranks: " + std::to_string(parts.ranks())};
}

std::string of_all(std::size_t some, const trace_parts& parts) {
  return std::to_string(some) + " of " + std::to_string(parts.ranks()) + " ranks";
}

bool write_window(const trace_parts& parts, const trace_window& window, const sum& all,
                  const std::string& bytes_file) {
  std::vector<std::string> remarks = head_of(parts);
  remarks.push_back("window " + std::to_string(all.windows) + ": " + seconds(window.begin) +
                    " to " + seconds(window.end) + " s after MPI_Init");
  if (window.missing > 0) {
    remarks.push_back(of_all(window.missing, parts) + " left no data of this window");
  }
  remarks.insert(remarks.end(), all.communicators.begin(), all.communicators.end());
  return write_matrices(window_file(bytes_file, all.windows), parts.ranks(), window.entries,
                        remarks);
}

bool write_sum(const trace_parts& parts, const sum& all, const std::string& bytes_file) {
  std::string until = "until the last window, " + seconds(all.end) + " s after MPI_Init";
  if (all.missing > 0) {
    until += ", which " + of_all(all.missing, parts) + " did not end";
  }
  std::vector<std::string> remarks = head_of(parts);
  remarks.push_back("the job was ended before MPI_Finalize: this is the traffic " + until);
  remarks.insert(remarks.end(), all.communicators.begin(), all.communicators.end());
  if (!write_matrices(bytes_file, parts.ranks(), all.entries, remarks)) return false;
  std::fprintf(stderr,
               "acre: trace: the job was ended before MPI_Finalize; its traffic %s, is in %s "
               "(bytes) and %s (messages)\n",
               until.c_str(), bytes_file.c_str(), messages_file(bytes_file).c_str());
  return true;
}

void report_windows(const sum& all, const std::string& bytes_file) {
  const std::string first = window_file(bytes_file, 1);
  if (all.windows == 1) {
    std::fprintf(stderr, "acre: trace: a window is in %s\n", first.c_str());
  } else {
    std::fprintf(stderr, "acre: trace: %zu windows are in %s to %s\n", all.windows, first.c_str(),
                 window_file(bytes_file, all.windows).c_str());
  }
}

}  // namespace

std::string window_file(const std::string& bytes_file, std::size_t number) {
  char text[32];
  std::snprintf(text, sizeof text, ".window-%04zu", number);
  return without_ending(bytes_file) + text + std::string(ending);
}

std::string parts_folder(const std::string& bytes_file) {
  return without_ending(bytes_file) + ".parts";
}

bool remove_parts_folder(const std::string& folder) {
  std::error_code none;
  std::vector<fs::path> parts;
  for (const auto& each : fs::directory_iterator(folder, none)) {
    const std::string name = each.path().filename();
    if (!name.starts_with("rank-") || !are_digits(std::string_view(name).substr(5))) return false;
    parts.push_back(each.path());
  }
  for (const fs::path& each : parts) fs::remove(each, none);
  fs::remove(folder, none);
  return !fs::exists(fs::symlink_status(folder, none));
}

void make_parts_folder(const std::string& folder) {
  std::error_code problem;
  const fs::file_status found = fs::symlink_status(folder, problem);
  if (fs::exists(found) && (!fs::is_directory(found) || !remove_parts_folder(folder))) {
    throw error("trace", folder + " is the folder for parts of the trace, but contains other files",
                "move them, or name another file for the trace");
  }
  fs::create_directory(folder, problem);
  if (problem)
    throw error("trace", "cannot create the folder " + folder + ": " + problem.message());
}

void remove_window_files(const std::string& bytes_file) {
  const fs::path stem = without_ending(bytes_file);
  const std::string begin = stem.filename().string() + ".window-";
  std::error_code problem;
  std::vector<fs::path> old;
  const fs::path folder = stem.has_parent_path() ? stem.parent_path() : fs::path(".");
  for (const auto& each : fs::directory_iterator(folder, problem)) {
    std::string name = each.path().filename();
    if (!name.starts_with(begin) || !name.ends_with(ending)) continue;
    name = without_ending(name).substr(begin.size());
    constexpr std::string_view messages = ".messages";
    if (name.ends_with(messages)) name.resize(name.size() - messages.size());
    if (name.size() >= 4 && are_digits(name)) old.push_back(each.path());
  }
  for (const fs::path& each : old) {
    fs::remove(each, problem);
    if (!problem) continue;
    throw error("trace", "cannot remove the old window " + each.string() + ": " + problem.message(),
                "name another file for the trace");
  }
}

put_together_result put_together(const std::string& folder, const std::string& bytes_file) {
  trace_parts parts(folder);
  sum all;
  bool is_well = true;
  while (const auto window = parts.next()) {
    all.add(*window);
    is_well = write_window(parts, *window, all, bytes_file) && is_well;
  }
  if (all.windows == 0) {
    std::fprintf(stderr, "acre: trace: the job ended before the end of its first window\n");
    remove_parts_folder(folder);
    return put_together_result::nothing;
  }
  report_windows(all, bytes_file);
  if (const std::string lost = parts.ranks_without_part(); !lost.empty()) {
    std::fprintf(stderr,
                 "acre: trace: ranks %s left no part: check that their hosts share the folder %s\n",
                 lost.c_str(), folder.c_str());
    is_well = false;
  }
  std::error_code none;
  const bool lacks_sum = !fs::exists(bytes_file, none);
  if (lacks_sum) is_well = write_sum(parts, all, bytes_file) && is_well;
  if (!is_well) return put_together_result::nothing;
  remove_parts_folder(folder);
  return lacks_sum ? put_together_result::windows_and_sum : put_together_result::windows;
}

}  // namespace acre::tool
