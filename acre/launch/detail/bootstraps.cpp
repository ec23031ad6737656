// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/bootstraps.hpp>

#include <acre/base/error.hpp>
#include <acre/launch/job_name.hpp>

#include <chrono>
#include <span>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace acre::launch {
namespace {

class job_of_one final : public runtime::bootstrap {
 public:
  fabric::rank_t rank() const override { return 0; }
  fabric::rank_t size() const override { return 1; }
  std::string job_name() const override { return name_; }
  std::vector<std::vector<std::byte>> exchange(std::span<const std::byte> mine) override {
    return {std::vector<std::byte>(mine.begin(), mine.end())};
  }
  void finish() override {}
  [[noreturn]] void abort(int status, std::string_view why) override {
    say(why);
    ::_exit(status);
  }

 private:
  std::string name_ = make_job_name();
};

}  // namespace

std::unique_ptr<runtime::bootstrap> stay_alone() { return std::make_unique<job_of_one>(); }

void give_launcher_time() { std::this_thread::sleep_for(std::chrono::milliseconds(1500)); }

void say(std::string_view why) noexcept try {
  std::string text(why);
  if (!text.starts_with("acre: ")) text = "acre: " + process_identity() + ": " + text;
  text += '\n';
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
} catch (...) {
  return;  // out of memory
}

}  // namespace acre::launch
