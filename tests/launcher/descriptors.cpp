// A job that looks at its descriptors.
//
//     acre-launcher-descriptors           none of Acre's is 0, 1 or 2, nor open in what is started
//     acre-launcher-descriptors print     the same, and each rank prints a line
//     acre-launcher-descriptors close     closes all but 0, 1 and 2 in the middle of the job, and
//                                         opens files in the current folder by the same numbers
#include <acre/acre.hpp>

#include <cstdio>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

/// More than the job and those who have started it have open.
constexpr int many = 256;

std::string target_of(int descriptor) {
  char target[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), target, sizeof target);
  return length < 0 ? "" : std::string(target, static_cast<std::size_t>(length));
}

/// @return whether all is well
bool look_at(int descriptor, const std::string& before) {
  const int flags = ::fcntl(descriptor, F_GETFD);
  if (flags < 0) return true;
  const std::string what = target_of(descriptor);
  const bool is_ours = what != before && what != "/";
  if (descriptor > STDERR_FILENO && (!is_ours || (flags & FD_CLOEXEC) != 0)) return true;
  if (descriptor <= STDERR_FILENO && !is_ours) return true;
  std::fprintf(stderr, "descriptor %d is %s\n", descriptor, what.c_str());
  return false;
}

void close_and_reopen() {
  for (int each = STDERR_FILENO + 1; each < many; ++each) ::close(each);
  for (int each = STDERR_FILENO + 1; each < 20; ++each) {
    const std::string name = "file-" + std::to_string(each);
    static_cast<void>(::open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  std::string before[many];
  for (int each = 0; each < many; ++each) before[each] = target_of(each);
  bool is_well = true;
  {
    const acre::job job;
    // A network's library opens some that are not closed on exec.
    const int looked_at = acre::conduit_name() == "smp" ? many : STDERR_FILENO + 1;
    for (int each = 0; each < looked_at; ++each) is_well = look_at(each, before[each]) && is_well;
    if (mode == "print") std::printf("rank %u\n", acre::rank());
    if (mode == "close") close_and_reopen();
    const auto mine = acre::allocate_symmetric<unsigned>();
    acre::barrier();
    acre::put(acre::at_rank(mine, (acre::rank() + 1) % acre::size()), 1 + acre::rank());
    acre::barrier();
    const unsigned expected = 1 + (acre::rank() + acre::size() - 1) % acre::size();
    is_well = acre::get(mine) == expected && is_well;
  }
  return is_well ? 0 : 1;
}
