#include "cli/warnings.h"

#include <fmt/format.h>

#include "classify/unknown_operators.h"
#include "cli/narration.h"

namespace fxcut {

void warn_of_unknown_release(const JointGraph& joint, const std::string& file_name, std::ostream& err) {
  if (joint.torch.unknown_release.empty()) return;
  warn(err, file_name,
       fmt::format("the graph was made by PyTorch {}, a release that fxcut does not know: it is treated as from {}\n"
                   "  the setting torch_version chooses another",
                   joint.torch.unknown_release, joint.torch.release.version()));
}

void warn_of_unknown_operators(const JointGraph& joint, const std::string& file_name, std::ostream& err) {
  for (const std::string& target : unknown_operators(joint)) {
    warn(err, file_name,
         fmt::format("nothing is known of operator '{}': it is taken to be pure\n"
                     "  describe it in the graph's 'ops' (tags, mutable, returns, builtin, schema)",
                     target));
  }
}

}  // namespace fxcut
