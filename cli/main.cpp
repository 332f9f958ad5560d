// Turns the command line into a call, and its outcome into streams and an exit status.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>

#include "cli/command.h"
#include "cli/narration.h"

namespace fxcut {
namespace {

// Takes the option out of the arguments, where it stands before a "--".
bool take_flag(CommandArguments& arguments, std::string_view option) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const auto found = std::find(arguments.begin(), end, option);
  if (found == end) return false;
  arguments.erase(found);
  return true;
}

ExitStatus run(CommandArguments arguments) {
  const bool is_quiet = take_flag(arguments, "--quiet"), is_verbose = take_flag(arguments, "--verbose");
  if (is_quiet && is_verbose) throw Failure(ExitStatus::Usage, "--quiet and --verbose: one of them can be");
  set_verbosity(std::cerr, is_quiet ? Verbosity::Quiet : is_verbose ? Verbosity::Verbose : Verbosity::Normal);
  if (arguments.empty()) {
    run_help({}, std::cerr, std::cerr);
    return ExitStatus::Usage;
  }
  std::string name = arguments.front();
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version") name = "version";
  std::vector<std::string_view> names;
  for (const Command& command : commands()) {
    if (command.name == name) return command.run({arguments.begin() + 1, arguments.end()}, std::cout, std::cerr);
    names.push_back(command.name);
  }
  std::string hint = did_you_mean(name, names);
  throw Failure(ExitStatus::Usage, fmt::format("unknown command '{}'", name),
                hint.empty() ? "'fxcut help' lists the commands" : hint);
}

// Whether all that was printed arrived.
ExitStatus flush(ExitStatus status) {
  std::cout.flush();
  if (std::cout || status != ExitStatus::Done) return status;
  std::cerr << "fxcut: error: standard output cannot be written: is the disk full, or the reader gone?\n";
  return ExitStatus::FileTrouble;
}

ExitStatus run_safely(const CommandArguments& arguments) {
  try {
    return flush(run(arguments));
  } catch (const Failure& failure) {
    std::cerr << failure.what() << "\n";
    return failure.status();
  } catch (const std::bad_alloc&) {
    std::cerr << "fxcut: error: out of memory\n";
    return ExitStatus::FileTrouble;
  } catch (const std::exception& error) {
    std::cerr << "fxcut: internal error: " << error.what()
              << "\n  This is a bug in fxcut: please report it with the input.\n";
    return ExitStatus::Internal;
  }
}

}  // namespace
}  // namespace fxcut

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error to report, not an end
  return static_cast<int>(fxcut::run_safely({argv + 1, argv + argc}));
}
