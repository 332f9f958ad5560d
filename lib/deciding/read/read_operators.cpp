#include "read/read_operators.h"

#include <fmt/format.h>

#include <limits>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

OperatorFacts read_facts(const JsonValue& op, Mistakes& mistakes) {
  OperatorFacts facts;
  for (const JsonValue fact : op) {
    const std::string_view key = fact.key();
    if (key == "tags") facts.tags = read_strings(fact, mistakes);
    if (key == "mutable") facts.mutates = read_boolean(fact, "", mistakes);
    if (key == "builtin") facts.builtin = read_boolean(fact, "", mistakes);
    if (key == "returns") {
      const auto returns = read_integer(fact, "", mistakes);
      if (returns && (*returns < 0 || *returns > std::numeric_limits<int>::max())) {
        mistakes.add(fact, fmt::format("expected {1} returned values, found {0}", *returns,
                                       *returns < 0 ? "0 or more" : "at most 2147483647"));
      } else if (returns) {
        facts.returns = static_cast<int>(*returns);
      }
    }
    if (key == "schema") {
      if (const auto schema = read_string(fact, "", mistakes)) facts.schema = *schema;
    }
  }
  return facts;
}

}  // namespace

void read_operators(const JsonValue& ops, OperatorTable& operators, Mistakes& mistakes) {
  if (!expect(ops, Type::Object, "", mistakes)) return;
  for (const JsonValue op : ops) {
    if (!expect(op, Type::Object, "", mistakes)) continue;
    operators.describe(std::string(op.key()), read_facts(op, mistakes));
  }
}

std::shared_ptr<OperatorTable> read_operator_table(const std::optional<JsonValue>& producer,
                                                   const std::optional<JsonValue>& ops,
                                                   std::string_view torch_version, Mistakes& mistakes) {
  const bool is_named = producer && producer->is(JsonValue::Type::String);
  const auto operators = std::make_shared<OperatorTable>(
      choose_release(torch_version, is_named ? producer->text() : std::string_view()).release);
  if (ops) read_operators(*ops, *operators, mistakes);
  return operators;
}

}  // namespace fxcut
