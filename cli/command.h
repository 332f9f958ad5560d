// The commands of the program.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {

// A command's own arguments, without its name.
using CommandArguments = std::vector<std::string>;

using RunCommand = ExitStatus(const CommandArguments& arguments, std::ostream& out, std::ostream& err);

struct Command {
  std::string_view name;
  std::string_view summary;  // one line for the list of commands
  RunCommand* run;
};

// All commands, in the order in which help lists them.
const std::vector<Command>& commands();

// Each command has a namespace and a file of its own, of the same name.
namespace partition_command { RunCommand run; }
namespace batch_command { RunCommand run; }
namespace batch_merge_command { RunCommand run; }  // of batch, for shards
namespace pareto_command { RunCommand run; }
namespace explain_command { RunCommand run; }
namespace policy_command { RunCommand run; }
namespace split_backward_command { RunCommand run; }
namespace verify_command { RunCommand run; }
namespace show_command { RunCommand run; }
namespace diff_command { RunCommand run; }
namespace check_command { RunCommand run; }
namespace import_command { RunCommand run; }
namespace memory_command { RunCommand run; }
namespace pipeline_command { RunCommand run; }
namespace validate_command { RunCommand run; }
namespace help_command { RunCommand run; }
namespace version_command { RunCommand run; }

}  // namespace fxcut
