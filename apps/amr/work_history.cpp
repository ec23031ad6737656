// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/work_history.hpp>

#include <algorithm>

namespace acre::amr {
namespace {

double most(const period& of, work_kind kind) {
  double found = 0;
  for (const rank_work& each : of.ranks) found = std::max(found, each.*kind);
  return found;
}

double mean(const period& of, work_kind kind) {
  double sum = 0;
  for (const rank_work& each : of.ranks) sum += each.*kind;
  return of.ranks.empty() ? 0 : sum / static_cast<double>(of.ranks.size());
}

}  // namespace

double imbalance(const period& of, work_kind kind) {
  const double even = mean(of, kind);
  return even > 0 ? most(of, kind) / even : 1;
}

double critical_path(std::span<const period> periods, work_kind kind) {
  double sum = 0;
  for (const period& each : periods) sum += most(each, kind);
  return sum;
}

double even_path(std::span<const period> periods, work_kind kind) {
  double sum = 0;
  for (const period& each : periods) sum += mean(each, kind);
  return sum;
}

}  // namespace acre::amr
