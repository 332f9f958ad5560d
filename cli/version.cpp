#include <ostream>

#include "cli/command.h"

namespace fxcut::version_command {

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream&) {
  if (arguments == CommandArguments{"--help"}) {
    out << "usage: fxcut version\n\nPrints the version of fxcut.\n";
    return ExitStatus::Done;
  }
  if (!arguments.empty()) {
    throw Failure(ExitStatus::Usage, "version takes no argument, found '" + arguments.front() + "'");
  }
  out << "fxcut " FXCUT_VERSION "\n";
  return ExitStatus::Done;
}

}  // namespace fxcut::version_command
