#include <acre/agas/detail/object_space.hpp>

#include <acre/agas/detail/counter_report.hpp>
#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/gathered_calls.hpp>
#include <acre/agas/detail/name_table.hpp>
#include <acre/agas/detail/object_census.hpp>
#include <acre/base/environment.hpp>
#include <acre/runtime/job_hooks.hpp>

namespace acre::detail {

constinit lasting_object_space this_ranks_objects;

namespace {

// What objects leave behind ends with the job, when nobody calls any more.
[[maybe_unused]] const bool space_registered =
    runtime::add_job_hooks({.started =
                                [] {
                                  const auto most = environment_number("ACRE_OBJECT_CACHE");
                                  space().most_entries = most.value_or(std::size_t{1} << 16);
                                  start_gathering();
                                  start_agas_counters();
                                  check_object_report();
                                },
                            .ended =
                                [] {
                                  report_agas_counters();
                                  stop_gathering();
                                  report_objects_at_end();
                                  forget_credit();
                                  forget_names();
                                  space().clear();
                                }});

}  // namespace

}  // namespace acre::detail
