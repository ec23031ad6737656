#include <acre/runtime/bootstrap.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/detail/bootstraps.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace acre::runtime {
namespace detail {
namespace {

class job_of_one final : public bootstrap {
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

std::unique_ptr<bootstrap> stay_alone() { return std::make_unique<job_of_one>(); }

std::string file_name_from(std::string_view name) {
  constexpr std::string_view harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  std::string result(name);
  for (char& each : result) {
    if (harmless.find(each) == std::string_view::npos) each = '-';
  }
  return result;
}

void give_launcher_time() { std::this_thread::sleep_for(std::chrono::milliseconds(1500)); }

void say(std::string_view why) noexcept try {
  std::string text(why);
  if (!text.starts_with("acre: ")) text = "acre: " + process_identity() + ": " + text;
  text += '\n';
  // One write, so that the words of several ranks do not mix. When it fails
  // there is nobody left to tell.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
} catch (...) {
  return;  // no memory: the caller ends this process without a word
}

}  // namespace detail

namespace {

/// By use_bootstrap(), until a job takes it.
constinit std::unique_ptr<bootstrap> given;

/// The open socket that PMI_FD names: under mpirun inside another launcher's job it may be
/// inherited but closed.
std::optional<int> pmi_socket() {
  const auto descriptor = environment_number("PMI_FD");
  struct stat status{};
  if (!descriptor || *descriptor > 1U << 30) return std::nullopt;
  const int number = static_cast<int>(*descriptor);
  if (::fstat(number, &status) != 0 || !S_ISSOCK(status.st_mode)) return std::nullopt;
  return number;
}

/// Slurm has started more of us, and told us nothing by which we could meet.
[[noreturn]] void refuse_to_be_one_of_many(std::uint64_t tasks) {
  throw error("bootstrap",
              "srun started " + std::to_string(tasks) +
                  " tasks without PMI, so that each would be a job of one rank",
              "use srun --mpi=pmix, or --mpi=pmi2 (srun --mpi=list says which there are); "
              "ACRE_LAUNCHER=none lets each task be a job of its own");
}

/// Whether the PMI that there is is Slurm's: mpirun and mpiexec may start ranks through srun, and
/// watch them.
bool is_by_slurm() {
  if (pmi_socket()) return environment("PMI_JOBID") && environment("SLURM_STEP_ID");
  return environment("PMIX_NAMESPACE").value_or("").starts_with("slurm.");
}

/// By the launcher that announces itself; null where none does.
std::unique_ptr<bootstrap> join_by_environment() {
  if (const auto socket = pmi_socket()) return detail::join_by_pmi(*socket);
  if (environment("PMIX_RANK") && environment("PMIX_NAMESPACE")) return detail::join_by_pmix();
  if (const auto descriptor = environment("PMI_FD")) {
    throw error(
        "bootstrap", "PMI_FD=" + *descriptor + " names no open connection to a launcher",
        "start the program by acre run, mpiexec or mpirun; or unset PMI_FD to run it alone");
  }
  const std::uint64_t tasks = environment_number("SLURM_STEP_NUM_TASKS").value_or(1);
  if (tasks > 1 && environment("SLURM_PROCID")) refuse_to_be_one_of_many(tasks);
  return nullptr;
}

}  // namespace

std::string make_job_name() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "acre-%d-%llx-%016llx", static_cast<int>(::getpid()),
                static_cast<unsigned long long>(process_namespace()),
                static_cast<unsigned long long>(now.count()));
  return text.data();
}

std::uint64_t process_namespace() {
  struct stat about{};
  return ::stat("/proc/self/ns/pid", &about) == 0 ? about.st_ino : 0;
}

void use_bootstrap(std::unique_ptr<bootstrap> made) { given = std::move(made); }

std::unique_ptr<bootstrap> find_bootstrap() {
  if (given != nullptr) return std::move(given);
  // acre run sets "acre", which users need not know.
  const bool is_by_acre = environment("ACRE_LAUNCHER") == "acre";
  if (!is_by_acre && environment_choice("ACRE_LAUNCHER", {"none"})) return detail::stay_alone();
  std::unique_ptr<bootstrap> joined = join_by_environment();
  if (joined == nullptr) return detail::stay_alone();
  return is_by_slurm() ? detail::speak_for_slurm(std::move(joined), pmi_socket())
                       : std::move(joined);
}

}  // namespace acre::runtime
