// SPDX-License-Identifier: BSD-3-Clause
// Ends a Slurm job when a rank fails: without --kill-on-bad-exit the others would wait forever. The
// rank reports uncaught exceptions and exits; a watcher process reports other deaths, by PMI-1 or
// scancel, as only the rank can use PMIx.
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/launch/detail/bootstraps.hpp>
#include <acre/launch/detail/death_watch.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

namespace acre::launch {
namespace {

constexpr int aborted = 128 + SIGABRT;

/// Job that fails with this process, deleted only by finish(), as end_job_on_exit() runs after
/// static destructors.
struct unfinished_job {
  std::unique_ptr<runtime::bootstrap> launcher;
  std::optional<death_watch> watch;
  std::string exit_line;
  pid_t process;
};
constinit unfinished_job* unfinished = nullptr;

constinit std::terminate_handler terminate_before = nullptr;

[[nodiscard]] bool is_in_job() noexcept {
  return unfinished != nullptr && unfinished->process == ::getpid();
}

std::string words_about_exception() {
  try {
    if (const auto current = std::current_exception()) std::rethrow_exception(current);
    return "std::terminate() was called";
  } catch (const error& failure) {
    return failure.what();
  } catch (const std::exception& failure) {
    return std::string("uncaught exception: ") + failure.what();
  } catch (...) {
    return "uncaught exception that is not a std::exception";
  }
}

[[noreturn]] void end_job(int status, std::string_view why) {
  unfinished_job* const failed = std::exchange(unfinished, nullptr);
  failed->watch.reset();
  failed->launcher->abort(status, why);
  ::_exit(status);
}

[[noreturn]] void end_job_on_terminate() {
  if (is_in_job()) end_job(aborted, words_about_exception());
  if (terminate_before != nullptr) terminate_before();
  std::abort();
}

/// Runs after all std::exit() handlers, which may end the job properly.
[[gnu::destructor]] void end_job_on_exit() {
  if (!is_in_job()) return;
  std::fflush(nullptr);
  end_job(1, unfinished->exit_line);
}

last_act last_act_for(std::optional<int> pmi_socket) {
  if (pmi_socket) return {*pmi_socket, "cmd=abort exitcode=1\n", {}};
  const std::string step =
      environment("SLURM_JOB_ID").value_or("") + "." + environment("SLURM_STEP_ID").value_or("");
  return {-1, {}, {"scancel", "--quiet", "--signal=KILL", step}};
}

class slurm_bootstrap final : public runtime::bootstrap {
 public:
  slurm_bootstrap(std::unique_ptr<runtime::bootstrap> pmi, std::optional<int> pmi_socket)
      : pmi_(pmi.get()) {
    unfinished = new unfinished_job{std::move(pmi), {}, {}, ::getpid()};
    unfinished->watch.emplace(last_act_for(pmi_socket));
    unfinished->exit_line = "acre: rank " + std::to_string(rank()) +
                            ": it exits before the end of its job; ending the job";
    if (terminate_before == nullptr) terminate_before = std::set_terminate(end_job_on_terminate);
  }

  fabric::rank_t rank() const override { return pmi_->rank(); }
  fabric::rank_t size() const override { return pmi_->size(); }
  std::string job_name() const override { return pmi_->job_name(); }
  std::vector<std::vector<std::byte>> exchange(std::span<const std::byte> mine) override {
    return pmi_->exchange(mine);
  }
  void barrier() override { pmi_->barrier(); }
  std::int64_t program_number() override { return pmi_->program_number(); }
  std::shared_ptr<fabric::library_session> session() const override { return pmi_->session(); }
  void finish() override {
    const std::unique_ptr<unfinished_job> finished(std::exchange(unfinished, nullptr));
    if (finished != nullptr) finished->launcher->finish();
  }
  void let_launcher_speak() override { pmi_->let_launcher_speak(); }
  [[noreturn]] void abort(int status, std::string_view why) override {
    if (is_in_job()) end_job(status, why);
    pmi_->abort(status, why);
    ::_exit(status);
  }

 private:
  runtime::bootstrap* pmi_;
};

}  // namespace

std::unique_ptr<runtime::bootstrap> speak_for_slurm(std::unique_ptr<runtime::bootstrap> pmi,
                                                    std::optional<int> pmi_socket) {
  return std::make_unique<slurm_bootstrap>(std::move(pmi), pmi_socket);
}

}  // namespace acre::launch
