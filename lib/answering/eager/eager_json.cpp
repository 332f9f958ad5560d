#include <nlohmann/json.hpp>

#include "eager/show_eager.h"
#include "json/json_forms.h"

namespace fxcut {
namespace {

using EagerJson = nlohmann::ordered_json;

constexpr int kEagerVersion = 1;

EagerJson kept_json(const EagerPolicy& policy, const KeptCall& kept) {
  const EagerCall& call = kept.call;
  return {{"module", call.module}, {"op", call.op}, {"call", call.number}, {"of", policy.calls.counts.at({call.module, call.op})},
          {"bytes", kept.saved_bytes}, {"more_bytes", kept.more_bytes}, {"values", kept.values}};
}

EagerJson unsaid_json(const UnsaidValue& value) {
  return {{"name", value.name}, {"op", value.op}, {"module", value.module}, {"bytes", value.size_bytes},
          {"reason", name_of(value.why)}, {"text", sentence_on(value.why)}};
}

}  // namespace

std::string eager_json(const EagerPolicy& policy) {
  EagerJson json = {{"format", "fxcut-eager-policy"}, {"version", kEagerVersion}, {"graph", policy.graph},
                    {"producer", policy.producer}, {"form", policy.form}, {"regions", policy.regions},
                    {"held_bytes", policy.held_bytes}, {"input_bytes", policy.input_bytes},
                    {"said_bytes", policy.kept_bytes()}, {"more_bytes", policy.more_bytes()},
                    {"unsaid_bytes", policy.unsaid_bytes()}, {"entering_bytes", policy.entering_bytes()}};
  json["saved"] = json_list(policy.kept, [&](const KeptCall& kept) { return kept_json(policy, kept); });
  json["listed"] = policy.listed;
  json["unsaid"] = json_list(policy.unsaid, unsaid_json);
  json["entering"] = json_list(policy.entering, [](const EnteringValue& value) {
    return EagerJson{{"name", value.name}, {"region", value.region}, {"bytes", value.size_bytes}};
  });
  return json_file(json);
}

}  // namespace fxcut
