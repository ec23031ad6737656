// SPDX-License-Identifier: BSD-3-Clause
// Writes a file under a temporary name until it is complete on disk.
//
// The name is FILE.being-written.HOST.PID.BOOT.RANDOM, created with O_EXCL or O_TMPFILE to avoid
// planted links and files, under a flock of its creator. The next writer of FILE removes files of
// ended processes and waits for live ones. Files of other hosts, whose locks are unreliable, are
// removed after a day without writes.
#pragma once

#include <acre/base/descriptor.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace acre::base {

/// Reason why a file cannot be written; converts to false if it can.
struct file_problem {
  enum : int { no_plain_file = -2, of_other_user = -3, being_written = -4, replaced = -5 };

  int code = 0;
  bool has_name = false;  ///< renamed, but the name may not survive a crash
  std::string who{};      ///< writer if being_written: "process 4711 on c0"

  explicit operator bool() const noexcept { return code != 0; }
  [[nodiscard]] std::string text() const;
  [[nodiscard]] const char* advice() const noexcept;
};

/// Treatment of devices, pipes and /dev/stdout: refused, or written directly.
enum class streams : std::uint8_t { refused, written };

class new_file {
 public:
  new_file() = default;
  new_file(new_file&& other) noexcept;
  new_file& operator=(new_file&& other) noexcept;
  ~new_file() { drop(); }

  /// Predicts begin() without side effects.
  [[nodiscard]] static file_problem check(const std::string& path, streams which);

  /// Creates the temporary file with mode, owner and ACL of the old one. Removes files of ended
  /// processes. Waits up to `timeout` for a live writer.
  [[nodiscard]] file_problem begin(const std::string& path, streams which,
                                   std::chrono::milliseconds timeout = std::chrono::seconds(5));

  [[nodiscard]] file_problem write(std::string_view text) const;

  /// Syncs, renames, syncs the folder. On failure the old file remains and the new one is removed,
  /// unless has_name is set.
  [[nodiscard]] file_problem commit();

  /// As commit(), but the file stays open. Later writers of the name replace it.
  [[nodiscard]] file_problem publish();

  /// Removes an unfinished file. No effect after commit() and in a forked child.
  void drop() noexcept;

  [[nodiscard]] bool is_open() const noexcept { return file_.open(); }
  [[nodiscard]] int descriptor() const noexcept { return file_.get(); }
  [[nodiscard]] const file_identity& identity() const noexcept { return file_.file(); }
  /// Temporary path; empty for streams.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  struct rights;
  [[nodiscard]] file_problem begin_stream(const std::string& path,
                                          std::chrono::milliseconds timeout);
  [[nodiscard]] int create(const rights& wanted);
  [[nodiscard]] bool is_in_place() const noexcept;
  [[nodiscard]] std::string find_live_writer(const rights& wanted) const;

  acre::descriptor file_;
  acre::descriptor folder_;
  std::string folder_path_;
  std::string final_;
  std::string temporary_;
  std::string name_;
  pid_t creator_ = 0;
  bool has_lock_ = false;
};

}  // namespace acre::base
