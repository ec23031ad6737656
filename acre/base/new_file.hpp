// SPDX-License-Identifier: BSD-3-Clause
// A file under construction: it has another name until all of it is on the disk.
//
// The name is FILE.being-written.HOST.PID.BOOT.RANDOM in the folder of FILE. It is created with
// O_EXCL, never found, so that links, pipes and files that others have put into the folder are
// not touched; where the file system has O_TMPFILE, it appears with its mode, owner and lock. The
// process that creates it holds a lock (flock) on it. So the next writer of FILE can tell a file of
// a process that has ended, which it removes, from that of a live one, which it waits for and then
// reports. A host cannot rely on locks of another one: files of other hosts are removed if nothing
// has written to them for a day.
#pragma once

#include <acre/base/descriptor.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace acre::base {

/// Why a file cannot be written. False if it can.
struct file_problem {
  /// Beside the numbers of errno.
  enum : int { no_plain_file = -2, of_stranger = -3, being_written = -4, replaced = -5 };

  int code = 0;
  bool has_name = false;  ///< it was renamed, and may not outlive a crash of the system
  std::string who{};      ///< being_written: "process 4711 on c0"

  explicit operator bool() const noexcept { return code != 0; }
  /// For people: "No space left on device".
  [[nodiscard]] std::string text() const;
  /// Advice for the user; may be empty.
  [[nodiscard]] const char* advice() const noexcept;
};

/// Devices, pipes and /dev/stdout have no name to take: they are refused, or written as they are.
enum class streams : std::uint8_t { refused, written };

class new_file {
 public:
  new_file() = default;
  new_file(new_file&& other) noexcept;
  new_file& operator=(new_file&& other) noexcept;
  ~new_file() { drop(); }

  /// Whether begin() would succeed now. Nothing is opened or created.
  [[nodiscard]] static file_problem check(const std::string& path, streams which);

  /// Creates the file under its temporary name: with the mode, the owner and the access list of the
  /// file that it will replace, or as any new file. Removes what ended processes have left.
  /// Waits up to `patience` while another live process writes the same file.
  [[nodiscard]] file_problem begin(const std::string& path, streams which,
                                   std::chrono::milliseconds patience = std::chrono::seconds(5));

  /// Appends. All bytes, or a problem.
  [[nodiscard]] file_problem write(std::string_view text) const;

  /// Syncs, renames, and syncs the folder. On failure what had the name before is unchanged, and
  /// nothing of this file is left, unless has_name is set in the result.
  [[nodiscard]] file_problem commit();

  /// The same for a file that goes on: it has its name from now on, and remains open. Another
  /// process that writes the same name replaces it, and does not write to it.
  [[nodiscard]] file_problem publish();

  /// Removes the file, unless it was committed. In a forked child, does nothing.
  void drop() noexcept;

  [[nodiscard]] bool is_open() const noexcept { return file_.open(); }
  [[nodiscard]] int descriptor() const noexcept { return file_.get(); }
  [[nodiscard]] const file_identity& identity() const noexcept { return file_.file(); }
  /// The temporary path: other processes of the job open the file by it. Empty for a stream.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  struct rights;
  [[nodiscard]] file_problem begin_stream(const std::string& path,
                                          std::chrono::milliseconds patience);
  [[nodiscard]] int create(const rights& wanted);
  [[nodiscard]] bool is_in_place() const noexcept;
  [[nodiscard]] std::string find_live_writer(const rights& wanted) const;

  acre::descriptor file_;
  acre::descriptor folder_;
  std::string folder_path_;  ///< empty, or ends in "/"
  std::string final_;        ///< in the folder
  std::string temporary_;    ///< in the folder
  std::string name_;
  pid_t creator_ = 0;
  bool has_lock_ = false;
};

}  // namespace acre::base
