// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/job_manager.hpp>

#include <acre/base/environment.hpp>
#include <acre/machines/networks/flux_resources.hpp>
#include <acre/machines/networks/hostlist.hpp>
#include <acre/machines/networks/node_sum.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace acre::machines {
namespace {

using nodes_or_none = std::optional<std::vector<job_node>>;

nodes_or_none of_flux() {
  if (environment("FLUX_JOB_ID")) return ask_flux("flux job info \"$FLUX_JOB_ID\" R");
  if (environment("FLUX_URI")) return ask_flux("flux resource R");
  return std::nullopt;
}

nodes_or_none of_slurm() {
  const auto nodes = environment("SLURM_JOB_NODELIST");
  if (!nodes) return std::nullopt;
  for (const char* tasks : {"SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE"}) {
    if (const auto each = environment(tasks)) return nodes_of_slurm(*nodes, *each);
  }
  throw error("machines::nodes_of_this_job", "SLURM_TASKS_PER_NODE is not set",
              "request a number of tasks: sbatch --ntasks-per-node=…");
}

nodes_or_none of_lsf() {
  if (const auto path = environment("LSB_DJOB_HOSTFILE")) {
    return nodes_of_hostfile(source_text::load(*path), 1);
  }
  if (const auto hosts = environment("LSB_MCPU_HOSTS")) return nodes_of_lsf(*hosts);
  return std::nullopt;
}

nodes_or_none of_pbs() {
  const auto path = environment("PBS_NODEFILE");
  if (!path) return std::nullopt;
  return nodes_of_hostfile(source_text::load(*path), 1);
}

nodes_or_none of_grid_engine() {
  const auto path = environment("PE_HOSTFILE");
  if (!path) return std::nullopt;
  return nodes_of_grid_engine(source_text::load(*path));
}

nodes_or_none of_prrte() {
  const auto path = environment("PRTE_MCA_prte_default_hostfile");
  if (!path || *path == "none") return std::nullopt;
  return nodes_of_hostfile(source_text::load(*path), 1);
}

}  // namespace

std::vector<job_node> nodes_of_slurm(std::string_view node_list, std::string_view tasks_per_node) {
  const source_text from("SLURM_TASKS_PER_NODE", std::string(tasks_per_node));
  const std::vector<std::string> names = expand_hostlist(node_list, most_nodes);
  std::vector<std::uint32_t> slots;
  for (const std::string_view word : words_of(tasks_per_node, ",")) {
    const std::size_t bracket = std::min(word.find("(x"), word.size());
    const auto each = as_slots(word.substr(0, bracket));
    std::optional<std::uint32_t> times = 1;
    if (bracket < word.size()) {
      times = word.ends_with(')') ? as_slots(word.substr(bracket + 2, word.size() - bracket - 3))
                                  : std::nullopt;
    }
    if (!each || !times || *times > names.size() - slots.size()) {
      from.fail(1, in_quotes(word) + " is not a number of tasks, or exceeds the number of nodes",
                "write it in the form 24(x3),12");
    }
    slots.insert(slots.end(), *times, *each);
  }
  if (slots.size() != names.size()) {
    from.fail(1,
              in_quotes(tasks_per_node) + " gives the tasks of " + std::to_string(slots.size()) +
                  " nodes, but the job has " + std::to_string(names.size()),
              "set SLURM_JOB_NODELIST and SLURM_TASKS_PER_NODE from the same job");
  }
  node_sum sum(from);
  for (std::size_t i = 0; i < names.size(); ++i) sum.add(1, names[i], slots[i], true);
  return sum.take();
}

std::vector<job_node> nodes_of_lsf(std::string_view hosts) {
  const source_text from("LSB_MCPU_HOSTS", std::string(hosts));
  const std::vector<std::string_view> words = words_of(hosts);
  node_sum sum(from);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const auto slots = i + 1 < words.size() ? as_slots(words[i + 1]) : std::nullopt;
    if (!slots || words[i].size() > longest_name) {
      from.fail(1, in_quotes(words[i]) + " is not followed by a number of slots",
                "write it in the form: n01 24 n02 12");
    }
    sum.add(1, std::string(words[i]), *slots, false);
  }
  return sum.take();
}

std::vector<job_node> nodes_of_grid_engine(const source_text& file) {
  node_sum sum(file);
  for (const text_line& line : file.lines()) {
    const std::vector<std::string_view> words = words_of(line.text);
    const auto slots = words.size() > 1 ? as_slots(words[1]) : std::nullopt;
    if (!slots || words[0].size() > longest_name) {
      file.fail(line.number, "expected a node and its slots, found " + in_quotes(line.text),
                "write a line of the form: n01 24 all.q@n01 UNDEFINED");
    }
    sum.add(line.number, std::string(words[0]), *slots, false);
  }
  return sum.take();
}

std::vector<job_node> nodes_of_this_job() {
  for (nodes_or_none (*const of_manager)() :
       {of_flux, of_slurm, of_lsf, of_pbs, of_grid_engine, of_prrte}) {
    if (nodes_or_none nodes = of_manager()) return *std::move(nodes);
  }
  throw error(
      "machines::nodes_of_this_job",
      "no job of Flux, Slurm, LSF, PBS, Grid Engine or PRRTE found: FLUX_JOB_ID, FLUX_URI, "
      "SLURM_JOB_NODELIST, LSB_DJOB_HOSTFILE, LSB_MCPU_HOSTS, PBS_NODEFILE, PE_HOSTFILE and "
      "PRTE_MCA_prte_default_hostfile are all unset",
      "name a hostfile, or list nodes as n[01-16] or 0-63");
}

}  // namespace acre::machines
