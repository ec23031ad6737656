// SPDX-License-Identifier: BSD-3-Clause
// PMIx client. Opens the launcher's libpmix at run time: programs need not link it.
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/library_descriptors.hpp>
#include <acre/base/loaded_library.hpp>
#include <acre/base/output_taken.hpp>
#include <acre/launch/detail/bootstraps.hpp>
#include <acre/launch/job_name.hpp>

#if ACRE_HAVE_PMIX
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pmix.h>
#include <unistd.h>

namespace acre::launch {
namespace {

struct pmix_library {
  decltype(&PMIx_Init) init;
  decltype(&PMIx_Finalize) finalize;
  decltype(&PMIx_Abort) abort;
  decltype(&PMIx_Put) put;
  decltype(&PMIx_Commit) commit;
  decltype(&PMIx_Fence) fence;
  decltype(&PMIx_Get) get;
  decltype(&PMIx_Error_string) describe;
};

constexpr library_description libpmix{
    .call = "bootstrap",
    .file = "libpmix.so.2",
    .mode = RTLD_NOW | RTLD_GLOBAL,
    .cannot_load = "the launcher uses PMIx, but its library cannot be loaded",
    .advice = "install it (Debian: libpmix2), add it to LD_LIBRARY_PATH, or use acre run",
    .advice_too_old = "install PMIx 2 or newer (Debian: libpmix2)"};

pmix_library open_pmix() {
  const loaded_library library(libpmix);
  return {.init = library["PMIx_Init"],
          .finalize = library["PMIx_Finalize"],
          .abort = library["PMIx_Abort"],
          .put = library["PMIx_Put"],
          .commit = library["PMIx_Commit"],
          .fence = library["PMIx_Fence"],
          .get = library["PMIx_Get"],
          .describe = library["PMIx_Error_string"]};
}

struct free_value {
  void operator()(pmix_value_t* value) const noexcept {
    if (value->type == PMIX_BYTE_OBJECT) std::free(value->data.bo.bytes);
    std::free(value);
  }
};
using value_ptr = std::unique_ptr<pmix_value_t, free_value>;

// The server keeps keys of earlier jobs.
std::size_t rounds = 0;

// The server treats a finalised process as ended: fences of later jobs would complete without it or
// fail. Hence PMIx is finalised at exit.
bool in_job = false;
decltype(&PMIx_Finalize) finalize_at_exit = nullptr;
pid_t process_of_jobs = 0;  // children have no PMIx thread

// If these are closed, PMIx hangs and writes to whatever reuses the number.
library_descriptors& descriptors_of_pmix() {
  static library_descriptors all;
  return all;
}

constexpr std::string_view words_about_closed =
    "the launcher is lost, or the program has closed the file descriptors of PMIx";

void leave_at_exit() {
  if (in_job || process_of_jobs != ::getpid()) return;
  if (descriptors_of_pmix().are_intact()) {
    static_cast<void>(finalize_at_exit(nullptr, 0));
  } else {
    say(std::string(words_about_closed) + "; the launcher may report this program as failed");
  }
}

class pmix_bootstrap final : public runtime::bootstrap {
 public:
  pmix_bootstrap() : pmix_(open_pmix()) {
    const bool is_first = finalize_at_exit == nullptr;
    in_job = true;
    // PMIx counts PMIx_Init: one for the process, one per job.
    if (is_first) {
      auto& descriptors = descriptors_of_pmix();
      descriptors.note_those_of([&] { check("PMIx_Init", pmix_.init(&self_, nullptr, 0)); });
    }
    require_descriptors();
    check("PMIx_Init", pmix_.init(&self_, nullptr, 0));
    if (is_first) {
      finalize_at_exit = pmix_.finalize;
      process_of_jobs = ::getpid();
      std::atexit(leave_at_exit);
    }
    const value_ptr size = get(PMIX_RANK_WILDCARD, PMIX_JOB_SIZE);
    if (size->type != PMIX_UINT32 || size->data.uint32 <= self_.rank) {
      throw error("bootstrap", "PMIx reports an invalid job size",
                  "use a launcher with PMIx 2 or newer, or acre run");
    }
    size_ = size->data.uint32;
  }

  fabric::rank_t rank() const override { return self_.rank; }
  fabric::rank_t size() const override { return size_; }

  std::string job_name() const override {
    // Only the namespace is equal on all hosts.
    return "acre-pmix-" + file_name_from(self_.nspace);
  }

  std::vector<std::vector<std::byte>> exchange(std::span<const std::byte> mine) override {
    require_descriptors();
    const std::string key = "acre-" + std::to_string(rounds++);
    publish(key, mine);
    collect();
    std::vector<std::vector<std::byte>> all;
    all.reserve(size_);
    for (fabric::rank_t r = 0; r < size_; ++r) {
      if (r == self_.rank) {
        all.emplace_back(mine.begin(), mine.end());
      } else {
        all.push_back(lookup(r, key));
      }
    }
    return all;
  }

  std::int64_t program_number() override {
    require_descriptors();
    pmix_value_t* value = nullptr;
    if (pmix_.get(&self_, PMIX_APPNUM, nullptr, 0, &value) != PMIX_SUCCESS) return 0;
    const value_ptr number(value);
    return number->type == PMIX_UINT32 ? number->data.uint32 : 0;
  }

  void finish() override {
    require_descriptors();
    check("PMIx_Finalize", pmix_.finalize(nullptr, 0));
    in_job = false;
  }

  void let_launcher_speak() override { give_launcher_time(); }

  [[noreturn]] void abort(int status, std::string_view why) override {
    // Launchers may not print PMIx_Abort's message.
    say(why);
    await_output_taken();
    if (descriptors_of_pmix().are_intact()) (void)pmix_.abort(status, nullptr, nullptr, 0);
    ::_exit(status);
  }

 private:
  static void require_descriptors() {
    if (descriptors_of_pmix().are_intact()) return;
    throw error("bootstrap", std::string(words_about_closed),
                "close only descriptors that the program opened, not ranges of numbers");
  }

  void check(const char* call, pmix_status_t status) const {
    if (status == PMIX_SUCCESS) return;
    throw error("bootstrap", std::string(call) + " failed: " + pmix_.describe(status),
                "check that the launcher still runs, or use acre run");
  }

  // Some servers lose empty objects.
  void publish(const std::string& key, std::span<const std::byte> mine) const {
    std::string bytes(1, '\0');
    bytes.append(reinterpret_cast<const char*>(mine.data()), mine.size());
    pmix_value_t value{};
    value.type = PMIX_BYTE_OBJECT;
    value.data.bo.bytes = bytes.data();
    value.data.bo.size = bytes.size();
    check("PMIx_Put", pmix_.put(PMIX_GLOBAL, key.c_str(), &value));
    check("PMIx_Commit", pmix_.commit());
  }

  void collect() const {
    pmix_info_t how{};
    std::strncpy(how.key, PMIX_COLLECT_DATA, sizeof how.key - 1);
    how.value.type = PMIX_BOOL;
    how.value.data.flag = true;
    check("PMIx_Fence", pmix_.fence(nullptr, 0, &how, 1));
  }

  value_ptr get(pmix_rank_t rank, const char* key) const {
    pmix_proc_t whose = self_;
    whose.rank = rank;
    pmix_value_t* value = nullptr;
    check("PMIx_Get", pmix_.get(&whose, key, nullptr, 0, &value));
    return value_ptr(value);
  }

  std::vector<std::byte> lookup(fabric::rank_t rank, const std::string& key) const {
    const value_ptr value = get(rank, key.c_str());
    if (value->type != PMIX_BYTE_OBJECT || value->data.bo.size == 0) {
      throw error("bootstrap::exchange",
                  "the data sent by rank " + std::to_string(rank) + " was damaged in transit",
                  "start all ranks from the same build of the program");
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(value->data.bo.bytes);
    return {bytes + 1, bytes + value->data.bo.size};
  }

  pmix_library pmix_;
  pmix_proc_t self_{};
  fabric::rank_t size_ = 1;
};

}  // namespace

std::unique_ptr<runtime::bootstrap> join_by_pmix() { return std::make_unique<pmix_bootstrap>(); }

}  // namespace acre::launch

#else

namespace acre::launch {

std::unique_ptr<runtime::bootstrap> join_by_pmix() {
  throw error("bootstrap", "the launcher uses PMIx, which this build of Acre does not support",
              "build Acre with the headers of PMIx (Debian: libpmix-dev), or use acre run");
}

}  // namespace acre::launch

#endif
