// A result file that is either there in full, or not at all.
//
// It is written under another name in the same folder and takes its own name
// only when the last byte is on it. What is not committed is removed again. A
// destination that is no regular file (a pipe, /dev/stdout) is written directly.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace acre::genome {

class output_file {
 public:
  /// @throws acre::error when nothing can be written there
  explicit output_file(const std::string& path);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();

  /// @throws acre::error when the disk is full, and the like
  void write(std::string_view text);

  /// Everything is written: gives the file its name.
  void commit();

 private:
  [[noreturn]] void fail(const char* advice) const;
  void flush();

  std::string path_;
  std::string temporary_;  // empty when the destination is written directly
  std::string buffer_;
  int descriptor_ = -1;
};

}  // namespace acre::genome
