#include "compiled/block_size.h"
#include "compiled/code_arguments.h"
#include "compiled/side_replay.h"
#include "python_text/symbolic_sizes.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

std::optional<std::int64_t> plain_number(const PythonExpression& value) {
  return value.is(Kind::Integer) || value.is(Kind::Unary) ? evaluate_size(value, {}) : std::nullopt;
}

// "rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)"
void settle_by_example(MemoryBlock& block, const PythonExpression& example) {
  if (!example.is(Kind::Call) || !example.items[0].is_name("rand_strided") || example.items.size() < 3) return;
  const PythonExpression* const dtype = keyword(example, "dtype");
  block.shape = plain_numbers(example.items[1]);
  block.stride = plain_numbers(example.items[2]);
  block.dtype = dtype ? dtype_named(*dtype) : nullptr;
  if (const PythonExpression* device = keyword(example, "device")) block.device = device_type(device->text);
  settle_size(block, SizeSource::Example);
}

}  // namespace

Object make_input(const SideCode& side, const std::string& name, BlockKind kind, Ledger& ledger) {
  MemoryBlock block;
  block.kind = kind;
  block.names = {name};
  block.first = ledger.moments.size();
  if (const auto example = side.wrapper.example_inputs.find(name); example != side.wrapper.example_inputs.end()) {
    if (const auto number = plain_number(example->second)) return number_object(*number);
    settle_by_example(block, example->second);
  }
  if (const GraphValue* value = side.facts.find(name)) {
    block.node = name;
    if (!block.size_bytes && value->tensor) settle_like(block, *value->tensor);
  }
  return make_block(std::move(block), ledger);
}

}  // namespace fxcut
