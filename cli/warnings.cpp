#include "cli/warnings.h"

#include <fmt/format.h>

#include "classify/unknown_operators.h"
#include "cli/narration.h"

namespace fxcut {

void warn_of_unknown_release(const JointGraph& joint, const std::string& file_name, std::ostream& err) {
  if (joint.torch.unknown_release.empty()) return;
  warn(err, file_name,
       fmt::format("the graph was made by PyTorch {}, an unknown release: treated as {}\n"
                   "  the setting torch_version selects another",
                   joint.torch.unknown_release, joint.torch.release.version()));
}

void warn_of_unknown_operators(const JointGraph& joint, const std::string& file_name, std::ostream& err) {
  for (const std::string& target : unknown_operators(joint)) {
    warn(err, file_name,
         fmt::format("unknown operator '{}': treated as pure\n"
                     "  describe it in the graph's 'ops' (tags, mutable, returns, builtin, schema)",
                     target));
  }
}

}  // namespace fxcut
