#include "compress/compress_as_requested.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <variant>

#include "compress/form_on_request.h"

namespace fxcut {
namespace {

class CrossingForms {
 public:
  CrossingForms(const JointGraph& joint, const std::vector<NodeId>& crossing) : graph_(joint.graph), forms_(joint) {
    for (const NodeId id : crossing) {
      if (const auto storage = graph_[id].storage()) ++crossing_[*storage];
    }
  }

  std::variant<RequestedForm, NoForm> of(NodeId id) const {
    const Node& node = graph_[id];
    const auto form = forms_.of(id, *node.meta.compress_to);
    const bool is_shared = std::holds_alternative<RequestedForm>(form) && crossing_.at(*node.storage()) > 1;
    return is_shared ? NoForm::Shared : form;
  }

 private:
  const Graph& graph_;
  FormsOnRequest forms_;
  std::map<std::int64_t, std::size_t> crossing_;  // by storage, how many values
};

// The effect of one rule on the values that cross.
struct Effect {
  bool compresses = false;
  std::array<std::vector<std::string>, kNoForms> as_they_are;  // by reason
};

std::string describe(const std::vector<std::string>& nodes, NoForm reason) {
  const std::string others = nodes.size() > 1 ? fmt::format(", as {} more", nodes.size() - 1) : "";
  return fmt::format("'{}' is {}{}", nodes.front(), phrase_for(reason), others);
}

std::string why_nothing(const Effect& effect) {
  std::vector<std::string> reasons;
  for (int i = 0; i < kNoForms; ++i) {
    const std::vector<std::string>& nodes = effect.as_they_are[static_cast<std::size_t>(i)];
    if (!nodes.empty()) reasons.push_back(describe(nodes, static_cast<NoForm>(i)));
  }
  return reasons.empty() ? "no value that it matches is saved" : fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace

bool compress_as_requested(JointGraph& joint, const std::vector<NodeId>& crossing) {
  const CrossingForms forms(joint, crossing);
  bool any = false;
  for (const NodeId id : crossing) {
    Meta& meta = joint.graph[id].meta;
    if (!meta.compress_to || meta.compression != Compression::None) continue;
    const auto form = forms.of(id);
    const auto* found = std::get_if<RequestedForm>(&form);
    if (!found) continue;
    meta.compression = found->how;
    meta.compressed_dtype = found->dtype;
    any = true;
  }
  return any;
}

std::vector<std::string> warnings_of_requests(const JointGraph& joint, const std::vector<NodeId>& crossing,
                                              const RequestedForms& requested) {
  const CrossingForms forms(joint, crossing);
  std::vector<Effect> effects(requested.rules.size());
  for (const NodeId id : crossing) {
    const Node& node = joint.graph[id];
    if (!node.meta.compress_to) continue;
    Effect& effect = effects[requested.rule_of.at(node.name)];
    const auto form = forms.of(id);
    const auto* reason = std::get_if<NoForm>(&form);
    if (node.meta.compression != Compression::None) {
      effect.compresses = true;
    } else if (reason) {
      effect.as_they_are[static_cast<std::size_t>(*reason)].push_back(node.name);
    }
  }
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const std::vector<std::string>& shared = effects[i].as_they_are[static_cast<std::size_t>(NoForm::Shared)];
    if (!effects[i].compresses) {
      warnings.push_back(fmt::format("{}: compresses nothing: {}", requested.rules[i], why_nothing(effects[i])));
    } else if (!shared.empty()) {
      warnings.push_back(fmt::format("{}: crosses as it is: {}", requested.rules[i], describe(shared, NoForm::Shared)));
    }
  }
  return warnings;
}

}  // namespace fxcut
