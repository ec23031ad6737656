// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_program.hpp"

#include <acre/base/descriptor.hpp>

#include <array>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <span>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace acre::tool {
namespace {

namespace fs = std::filesystem;

struct family {
  mpi which;
  std::string_view name;
  std::string_view short_name;
};
constexpr std::array families = {family{mpi::openmpi, "Open MPI", "openmpi"},
                                 family{mpi::mpich, "MPICH", "mpich"}};

// MPI by library name; Intel MPI and others have MPICH's name and number.
struct library {
  std::string_view name;
  mpi of;
};
constexpr std::array libraries = {
    library{"libmpi.so.40", mpi::openmpi}, library{"libmpi_mpifh.so.40", mpi::openmpi},
    library{"libmpich.so.12", mpi::mpich}, library{"libmpi.so.12", mpi::mpich}};

bool is_runnable(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && ::access(path.c_str(), X_OK) == 0;
}

fs::path find_program(const std::string& word) {
  if (word.empty() || word.front() == '-') return {};
  if (word.find('/') != std::string::npos) return is_runnable(word) ? fs::path(word) : fs::path();
  const char* variable = std::getenv("PATH");
  std::string_view places = variable == nullptr ? "/usr/bin:/bin" : variable;
  while (!places.empty()) {
    const std::size_t colon = places.find(':');
    fs::path path = fs::path(places.substr(0, colon)) / word;
    if (is_runnable(path)) return path;
    if (colon == std::string_view::npos) break;
    places.remove_prefix(colon + 1);
  }
  return {};
}

struct executable {
  bool is_elf = false;
  std::string loader;  ///< dynamic loader; empty: static program
};

executable inspect(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64) {
    return {};
  }
  executable result{true, {}};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * sizeof part));
    file.read(reinterpret_cast<char*>(&part), sizeof part);
    if (!file || part.p_type != PT_INTERP || part.p_filesz == 0) continue;
    std::string loader(part.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(part.p_offset));
    file.read(loader.data(), static_cast<std::streamsize>(loader.size()));
    result.loader = loader.c_str();
    return result;
  }
  return result;
}

// Standard output; empty on failure.
std::string output_of(const std::vector<std::string>& command) {
  int both[2];
  if (::pipe2(both, O_CLOEXEC) != 0) return {};
  const descriptor from(both[0]);
  descriptor to(both[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, to.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& each : command) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  pid_t child = -1;
  const int problem = ::posix_spawn(&child, words[0], &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  to.reset();
  if (problem != 0) return {};
  std::string text;
  std::array<char, 4096> block;
  ssize_t got = 0;
  while ((got = ::read(from.get(), block.data(), block.size())) > 0) {
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  ::waitpid(child, nullptr, 0);
  return text;
}

std::optional<mpi> launcher_of(const std::string& word) {
  const std::string name = fs::path(word).filename();
  if (!name.starts_with("mpirun") && !name.starts_with("mpiexec") && !name.starts_with("orterun")) {
    return std::nullopt;
  }
  const fs::path path = find_program(word);
  return path.empty() ? std::nullopt : mpi_of_version(output_of({path, "--version"}));
}

}  // namespace

std::string_view name_of(mpi which) {
  return which == mpi::openmpi ? families[0].name : families[1].name;
}

std::string_view short_name_of(mpi which) {
  return which == mpi::openmpi ? families[0].short_name : families[1].short_name;
}

std::optional<mpi> mpi_named(std::string_view text) {
  for (const family& each : families) {
    if (text == each.short_name) return each.which;
  }
  return std::nullopt;
}

std::optional<mpi> mpi_among(std::string_view text) {
  for (const library& each : libraries) {
    for (std::size_t at = 0; (at = text.find(each.name, at)) != std::string_view::npos; ++at) {
      const std::size_t end = at + each.name.size();
      const bool begins = at == 0 || std::strchr("\t\n /", text[at - 1]) != nullptr;
      const bool ends = end == text.size() || std::strchr("\t\n ", text[end]) != nullptr;
      if (begins && ends) return each.of;
    }
  }
  return std::nullopt;
}

std::optional<mpi> mpi_of_version(std::string_view text) {
  for (const std::string_view each : {"Open MPI", "OpenRTE", "open-mpi.org"}) {
    if (text.find(each) != std::string_view::npos) return mpi::openmpi;
  }
  for (const std::string_view each : {"HYDRA", "Intel(R) MPI"}) {
    if (text.find(each) != std::string_view::npos) return mpi::mpich;
  }
  return std::nullopt;
}

bool can_run(const std::string& word) { return !find_program(word).empty(); }

mpi_command look_at(const std::vector<std::string>& command) {
  mpi_command result;
  if (!command.empty()) result.launcher = launcher_of(command.front());
  // The launcher may be linked with anything.
  const std::size_t first = result.launcher ? 1 : 0;
  for (const std::string& word : std::span(command).subspan(first)) {
    const fs::path path = find_program(word);
    if (path.empty()) continue;
    const executable found = inspect(path);
    if (!found.is_elf) continue;
    if (found.loader.empty()) {
      if (result.static_program.empty()) result.static_program = word;
      continue;
    }
    result.linked = mpi_among(output_of({found.loader, "--list", fs::absolute(path)}));
    if (result.linked) {
      result.program = word;
      break;
    }
  }
  return result;
}

}  // namespace acre::tool
