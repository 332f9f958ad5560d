#include "read/read_policy.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "policy/jax_policies.h"
#include "policy/match_rows.h"
#include "quantize/quantized_dtypes.h"
#include "read/read_value.h"
#include "settings/memory_limit.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr std::int64_t kPolicyVersion = 1;
constexpr std::string_view kEvery = "every";  // of what the conditions select

// The possible outcomes of a rule, by name.
const std::vector<std::pair<std::string_view, RuleOutcome>>& rule_outcomes() {
  static const auto all = [] {
    std::vector<std::pair<std::string_view, RuleOutcome>> words(kCheckpointPolicies.begin(), kCheckpointPolicies.end());
    words.emplace_back(kCompressPolicy, Compressing{});
    return words;
  }();
  return all;
}

class PolicyReader {
 public:
  explicit PolicyReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  PolicyStack read(const JsonValue& root) {
    PolicyStack stack;
    if (!expect(root, Type::Object, "", mistakes_)) return stack;
    expect_known(root, {"version", "policies"}, mistakes_);
    expect_version(root, kPolicyVersion, mistakes_);
    const auto policies = member(root, "policies");
    if (!policies) {
      mistakes_.add(root, "missing 'policies', an array, outermost first");
    } else if (expect(*policies, Type::Array, "", mistakes_)) {
      for (const JsonValue json : *policies) stack.push_back(read_policy(json, stack.size() + 1));
    }
    return stack;
  }

 private:
  Policy read_policy(const JsonValue& json, std::size_t position) {
    Policy policy{fmt::format("policy {}", position), RuleList{}};
    if (!expect(json, Type::Object, "", mistakes_)) return policy;
    if (const auto builtin = member(json, "builtin")) {
      expect_known(json, {"name", "builtin"}, mistakes_);
      policy = read_builtin(*builtin);
    } else if (member(json, "jax")) {
      JaxPolicy jax = read_jax(json);
      policy = {describe(jax), std::move(jax)};
    } else {
      expect_known(json, {"name", "rules", "otherwise"}, mistakes_);
      policy.content = read_rules(json);
    }
    if (const auto name = member(json, "name")) {
      if (const auto text = read_string(*name, "", mistakes_)) policy.name = *text;
    }
    return policy;
  }

  Policy read_builtin(const JsonValue& json) {
    const auto name = read_string(json, "", mistakes_);
    if (!name) return must_save_all();
    for (Policy policy : {must_save_all(), recompute_all()}) {
      if (policy.name == *name) return policy;
    }
    mistakes_.add(json, fmt::format("unknown built-in policy '{}'", *name),
                  did_you_mean_or_known(*name, {"must_save_all", "recompute_all"}));
    return must_save_all();
  }

  JaxPolicy read_jax(const JsonValue& json) {
    JaxPolicy policy;
    if (!expect(json, Type::Object, "", mistakes_)) return policy;
    expect_known(json, {"name", "jax", "names", "save", "offload", "policies"}, mistakes_);
    const auto kind = member(json, "jax");
    if (!kind) {
      mistakes_.add(json, "missing 'jax', the name of one of JAX's policies");
      return policy;
    }
    const auto text = read_string(*kind, "", mistakes_);
    if (!text) return policy;
    policy.kind = *text;
    if (const auto names = member(json, "names")) policy.names = read_strings(*names, mistakes_);
    if (const auto save = member(json, "save")) policy.save = read_strings(*save, mistakes_);
    if (const auto offload = member(json, "offload")) policy.offload = read_strings(*offload, mistakes_);
    const std::size_t known_mistakes = parts_with_mistakes_;
    if (const auto parts = member(json, "policies"); parts && expect(*parts, Type::Array, "", mistakes_)) {
      for (const JsonValue part : *parts) policy.policies.push_back(read_jax(part));
    }
    if (known_mistakes == parts_with_mistakes_) {  // each mistake once, in the innermost policy
      if (const auto mistake = mistake_in(policy)) {
        mistakes_.add(*kind, *mistake);
        ++parts_with_mistakes_;
      }
    }
    return policy;
  }

  RuleList read_rules(const JsonValue& json) {
    RuleList list;
    const auto rules = member(json, "rules"), otherwise = member(json, "otherwise");
    if (!rules && !otherwise) mistakes_.add(json, "missing 'rules', 'otherwise', 'builtin' or 'jax'");
    if (rules && expect(*rules, Type::Array, "", mistakes_)) {
      for (const JsonValue rule : *rules) list.rules.push_back(read_rule(rule));
    }
    if (otherwise) list.otherwise = read_decision(*otherwise);
    return list;
  }

  PolicyRule read_rule(const JsonValue& json) {
    PolicyRule rule;
    if (!expect(json, Type::Object, "", mistakes_)) return rule;
    expect_known(json, {"match", "policy", "dtype"}, mistakes_);
    const auto match = member(json, "match"), policy = member(json, "policy"), dtype = member(json, "dtype");
    if (match && expect(*match, Type::Object, "", mistakes_)) rule.match = read_match(*match);
    if (!match) mistakes_.add(json, "missing 'match', an object; an empty one matches everything");
    if (!policy) mistakes_.add(json, "missing 'policy', a checkpoint policy");
    if (policy) rule.policy = read_outcome(*policy);
    if (dtype) read_rounded_dtype(*dtype, rule.policy);
    return rule;
  }

  RuleOutcome read_outcome(const JsonValue& json) {
    if (json.is(Type::Bool)) return *read_decision(json);
    const auto& words = rule_outcomes();
    return read_word(json, words, "checkpoint policy", "", mistakes_).value_or(RuleOutcome(CheckpointPolicy::MustSave));
  }

  void read_rounded_dtype(const JsonValue& json, RuleOutcome& policy) {
    auto* compressing = std::get_if<Compressing>(&policy);
    if (!compressing) return mistakes_.add(json, fmt::format("'dtype' is for the policy {}", kCompressPolicy));
    const auto text = read_string(json, "", mistakes_);
    if (!text) return;
    const QuantizedDtype* dtype = find_quantized_dtype(*text);
    if (dtype) {
      compressing->dtype = find_dtype(dtype->name);
      return;
    }
    std::vector<std::string_view> known;
    for (const QuantizedDtype& row : quantized_dtypes()) known.push_back(row.name);
    mistakes_.add(json, fmt::format("values cannot be rounded to '{}'", *text), did_you_mean_or_known(*text, known));
  }

  PolicyMatch read_match(const JsonValue& json) {
    std::vector<std::string_view> known = {kEvery};
    for_each_match_row([&](const auto& row) { known.push_back(row.key); });
    expect_known(json, known, mistakes_);
    PolicyMatch match;
    for (const JsonValue field : json) {
      for_each_match_row([&](const auto& row) {
        if (field.key() == row.key) match.*row.member = read_condition(row, field);
      });
      if (field.key() == kEvery) match.every = read_at_least(field, 1).value_or(1);
    }
    return match;
  }

  std::optional<Pattern> read_condition(const TextRow& row, const JsonValue& json) {
    if (row.form == TextRow::Form::OperatorGlob) return read_pattern(json, &Pattern::operator_glob);
    if (row.form == TextRow::Form::Glob) return read_pattern(json, &Pattern::glob);
    const Dtype* dtype = read_dtype(json, "", mistakes_);
    return dtype ? std::optional(Pattern::glob(std::string(dtype->name))) : std::nullopt;
  }

  std::optional<std::int64_t> read_condition(const NumberRow& row, const JsonValue& json) {
    return row.is_size ? read_bytes(json) : read_integer(json, "", mistakes_);
  }

  template <typename Word, typename Words>
  std::optional<Word> read_condition(const WordRow<Word, Words>& row, const JsonValue& json) {
    return read_word(json, row.words, row.what, "", mistakes_);
  }

  // A number of bytes, or a size such as "100MB".
  std::optional<std::int64_t> read_bytes(const JsonValue& json) {
    if (!json.is(Type::String)) return read_at_least(json, 0);
    const std::string text(json.text());
    const std::optional<MemoryLimit> size = parse_memory_limit(text);
    if (size && !size->is_least) return size->bytes;
    mistakes_.add(json, fmt::format("expected a size such as \"100MB\", found \"{}\"", text));
    return std::nullopt;
  }

  std::optional<std::int64_t> read_at_least(const JsonValue& json, std::int64_t least) {
    const auto number = read_integer(json, "", mistakes_);
    if (!number || *number >= least) return number;
    mistakes_.add(json, fmt::format("expected {} or more, found {}", least, *number));
    return std::nullopt;
  }

  // A string is a glob, {"regex": ...} a regular expression.
  std::optional<Pattern> read_pattern(const JsonValue& json, Pattern (*glob)(std::string)) {
    if (!json.is(Type::Object)) {
      const auto text = read_string(json, "", mistakes_);
      return text ? std::optional(glob(std::string(*text))) : std::nullopt;
    }
    expect_known(json, {"regex"}, mistakes_);
    const auto regex = member(json, "regex");
    if (!regex) mistakes_.add(json, "expected a glob, or an object with 'regex'");
    const auto text = regex ? read_string(*regex, "", mistakes_) : std::nullopt;
    if (!text) return std::nullopt;
    try {
      return Pattern::regex(std::string(*text));
    } catch (const NoRegex& error) {
      if (error.is_too_large) {
        mistakes_.add(*regex, "the regular expression is too large", "a repetition counts once for each time it repeats");
      } else {
        mistakes_.add(*regex, fmt::format("'{}' is not a regular expression", *text),
                      "use ECMAScript's syntax, without back-references");
      }
      return std::nullopt;
    }
  }

  std::optional<CheckpointPolicy> read_decision(const JsonValue& json) {
    if (json.is(Type::Bool)) return json.boolean() ? CheckpointPolicy::MustSave : CheckpointPolicy::PreferRecompute;
    if (json.is(Type::String) && json.text() == kCompressPolicy) {
      mistakes_.add(json, fmt::format("'otherwise' cannot be {}, which does not say what is saved", kCompressPolicy),
                    R"(add the rule {"match": {}, "policy": "COMPRESS"} at the end)");
      return std::nullopt;
    }
    return read_word(json, kCheckpointPolicies, "checkpoint policy", "", mistakes_);
  }

  Mistakes& mistakes_;
  std::size_t parts_with_mistakes_ = 0;
};

}  // namespace

PolicyStack read_policies(const JsonValue& json, Mistakes& mistakes) { return PolicyReader(mistakes).read(json); }

PolicyStack read_policies(const Document& document) {
  Mistakes mistakes;
  PolicyStack stack = read_policies(document.root(), mistakes);
  mistakes.raise();
  return stack;
}

}  // namespace fxcut
