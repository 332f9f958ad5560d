// The policy for torch.utils.checkpoint: the template with its head and its table filled in. What comes from the graph is quoted
// as JSON, whose texts are Python's as well, or stands in the docstring, where nothing may end it.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "eager/python_head.h"
#include "eager/show_eager.h"
#include "json/json_forms.h"

namespace fxcut {
namespace {

constexpr std::string_view kHeadMark = "@HEAD@", kCallsMark = "@CALLS@", kRegionsMark = "@REGIONS@";

std::string head(const EagerPolicy& policy, const MadeBy& made_by) {
  return fmt::format(R"("""What eager training saves between forward and backward, as {0} decided of the graph {1} ({2}).

    {3}

Use, with PyTorch 2.13 or newer, for eager training (not under torch.compile), before or after fully_shard:

    apply(model)

{4}
{5}"""
)", made_by.program, in_docstring(policy.graph), in_docstring(policy.producer), in_docstring(made_by.command),
                     totals_head(policy), unsaid_head(policy));
}

// The saved calls of an operator in a module: "(2, {0: 4096})".
std::string numbers_text(std::size_t count, const std::vector<const KeptCall*>& kept) {
  std::string numbers;
  for (const KeptCall* one : kept) {
    fmt::format_to(std::back_inserter(numbers), "{}{}: {}", numbers.empty() ? "" : ", ", one->call.number, one->saved_bytes);
  }
  return fmt::format("({}, {{{}}})", count, numbers);
}

// By module and operator, in the order of the first call.
std::string calls_text(const EagerPolicy& policy) {
  std::map<std::pair<std::string, std::string>, std::vector<const KeptCall*>> by_operator;
  std::vector<std::string> modules;
  std::map<std::string, std::vector<std::string>> operators;
  for (const KeptCall& kept : policy.kept) {
    const EagerCall& call = kept.call;
    if (!operators.contains(call.module)) modules.push_back(call.module);
    std::vector<const KeptCall*>& calls = by_operator[{call.module, call.op}];
    if (calls.empty()) operators[call.module].push_back(call.op);
    calls.push_back(&kept);
  }
  std::string text = "{\n";
  for (const std::string& module : modules) {
    fmt::format_to(std::back_inserter(text), "    {}: {{\n", json_line(module));
    for (const std::string& op : operators[module]) {
      fmt::format_to(std::back_inserter(text), "        {}: {},\n", json_line(op),
                     numbers_text(policy.calls.counts.at({module, op}), by_operator[{module, op}]));
    }
    text += "    },\n";
  }
  return text + "}";
}

}  // namespace

std::string torch_policy(const EagerPolicy& policy, const MadeBy& made_by) {
  std::string text(torch_policy_template());
  const auto fill_in = [&](std::string_view mark, const std::string& content) {
    text.replace(text.find(mark), mark.size(), content);
  };
  fill_in(kRegionsMark, policy.regions.empty() ? "None" : json_line(policy.regions));
  fill_in(kCallsMark, calls_text(policy));
  fill_in(kHeadMark, head(policy, made_by));
  return text;
}

}  // namespace fxcut
