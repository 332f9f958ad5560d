// What the names in an operator's call stand for.
#include <algorithm>

#include "compiled/side_run.h"

namespace fxcut {

void SideRun::record_call(const PythonExpression& call) {
  OperatorCall made{ledger_.now(), {}};
  for (std::size_t i = 1; i < call.items.size(); ++i) add_arguments(call.items[i], made);
  for (const PythonKeyword& given : call.keywords) add_arguments(given.value, made);
  ledger_.calls.push_back(std::move(made));
}

void SideRun::add_arguments(const PythonExpression& given, OperatorCall& call) {
  using Kind = PythonExpression::Kind;
  if (given.is(Kind::Name)) return add_argument(given, call);
  for (const PythonExpression& item : given.items) add_arguments(item, call);
  for (const PythonKeyword& named : given.keywords) add_arguments(named.value, call);
}

void SideRun::add_argument(const PythonExpression& name, OperatorCall& call) {
  if (std::ranges::find(call.arguments, name.text, &NamedArgument::name) != call.arguments.end()) return;
  const Object object = value_of_name(name);
  if (object.kind == Object::Kind::Number) call.arguments.push_back({name.text, std::nullopt, {}, {}, object.number});
  if (object.memory) call.arguments.push_back({name.text, object.memory->number(), object.shape, object.stride, 0});
}

}  // namespace fxcut
