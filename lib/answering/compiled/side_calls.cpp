// The calls of a wrapper: those with a meaning of their own, and all others, kernels and operators.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "compiled/block_size.h"
#include "compiled/code_arguments.h"
#include "compiled/side_run.h"
#include "python_text/aliases.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

constexpr std::string_view kViewAsComplex = "aten.view_as_complex.default";

// Views that inductor calls PyTorch for, which take no memory within their call.
bool is_complex_view(std::string_view name) {
  return name == kViewAsComplex || name == "aten.view_as_real.default" || name == "aten._conj.default";
}

Object as_complex(Object seen) {
  const Dtype* const real = seen.dtype ? seen.dtype : seen.memory ? seen.memory->block().dtype : nullptr;
  constexpr std::pair<std::string_view, std::string_view> kComplexOf[] = {
      {"float16", "complex32"}, {"float32", "complex64"}, {"float64", "complex128"}};
  for (const auto& [of_real, of_complex] : kComplexOf) {
    if (real && real->name == of_real) seen.dtype = find_dtype(of_complex);
  }
  return seen;
}

}  // namespace

bool is_operator(std::string_view callee) {
  return begins_with_any(callee, {"extern_kernels.", "torch.ops.", "aten.", "inductor_ops.", "_quantized.", "prims."});
}

bool is_kernel(std::string_view callee) { return begins_with_any(callee, {"cpp_", "triton_"}) || callee.ends_with(".run"); }

SideRun::CallForm SideRun::form_of(std::string_view callee) {
  static constexpr std::array<NamedForm, 18> kForms = {{
      {"empty_strided_cpu", &SideRun::allocate}, {"empty_strided_cpu_pinned", &SideRun::allocate},
      {"empty_strided_cuda", &SideRun::allocate}, {"empty_strided_xpu", &SideRun::allocate},
      {"empty_strided_mtia", &SideRun::allocate}, {"empty_strided_p2p", &SideRun::allocate},
      {"empty_strided", &SideRun::allocate}, {"tracked_empty_strided", &SideRun::allocate},
      {"reinterpret_tensor", &SideRun::view}, {"aten.view.dtype", &SideRun::view}, {"alloc_from_pool", &SideRun::view},
      {"copy_if_misaligned", &SideRun::view}, {"assert_size_stride", &SideRun::assert_one},
      {"assert_tensor_metadata", &SideRun::assert_one}, {"assert_size_stride_grouped", &SideRun::assert_several},
      {"assert_alignment", &SideRun::nothing}, {"get_raw_stream", &SideRun::nothing}, {"args.clear", &SideRun::clear_args}}};
  const auto* const found = std::ranges::find(kForms, callee, &NamedForm::callee);
  return found == kForms.end() ? nullptr : found->run;
}

Object SideRun::evaluate_call(const PythonExpression& call) {
  const PythonExpression& callee = call.items[0];
  if (callee.is(Kind::Attribute)) return call_attribute(call);
  if (callee.is(Kind::Subscript) && callee.items[0].is_name("self.partitions")) {
    return call_function("partition_" + callee.items[1].text, first_argument(call));
  }
  if (!callee.is(Kind::Name)) {
    note("not understood: what is called");
    return other();
  }
  if (const CallForm form = form_of(callee.text)) return (this->*form)(call);
  if (side_.wrapper.functions.contains(callee.text)) return call_function(callee.text, first_argument(call));
  if (const auto method = call_method(call)) return *method;
  if (const auto number = evaluate_size_function(call)) return number_object(*number);
  return call_operator(call);
}

std::optional<Object> SideRun::call_method(const PythonExpression& call) {
  const std::string_view callee = call.items[0].text;
  const std::size_t dot = callee.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto found = names().find(callee.substr(0, dot));
  if (found == names().end()) return std::nullopt;
  const std::string_view method = callee.substr(dot + 1);
  if (method == "size") return numbers_object(found->second.shape);
  if (method == "stride") return numbers_object(found->second.stride);
  if (method == "item") return other();  // a number that depends on data
  if (!method.ends_with('_') && method != "as_strided") {
    note(fmt::format("not known: what .{}() returns; a view, it is assumed", method));
  }
  return found->second;
}

Object SideRun::numbers_object(const Extents& numbers) {
  std::vector<Object> objects;
  for (const std::int64_t number : numbers) objects.push_back(number_object(number));
  return items_object(std::move(objects));
}

std::optional<std::int64_t> SideRun::evaluate_size_function(const PythonExpression& call) {
  constexpr std::string_view kFunctions[] = {"max", "min", "Max", "Min"};
  return std::ranges::find(kFunctions, call.items[0].text) != std::end(kFunctions) ? size_of(call) : std::nullopt;
}

Object SideRun::call_operator(const PythonExpression& call) {
  const std::string& callee = call.items[0].text;
  const std::string_view name = registry_name(callee);
  if (is_operator(callee) && !is_complex_view(name)) record_call(call);
  use_arguments(call);
  if (const PythonExpression* out = keyword(call, "out")) return evaluate(*out);
  if (const auto aliased = aliased_argument(name)) {
    const PythonExpression* const by_name = keyword(call, aliased->name);
    const PythonExpression* const given = by_name ? by_name : argument(call, aliased->position + 1);
    if (given) return name == kViewAsComplex ? as_complex(evaluate(*given)) : evaluate(*given);
  }
  if (!is_operator(callee)) note(fmt::format("not known: what {} returns; memory of its own, it is assumed", callee));
  if (!is_taken_apart()) return make_result(callee, std::nullopt, ledger_.now());
  Object results = items_object({});
  results.items->target = callee;
  results.items->made_at = ledger_.now();
  return results;
}

std::string_view SideRun::registry_name(std::string_view callee) {
  constexpr std::string_view kOps = "torch.ops.";
  return callee.starts_with(kOps) ? callee.substr(kOps.size()) : callee;
}

bool SideRun::is_taken_apart() const {
  const PythonExpression& target = statement_->target;
  return target.is(Kind::Tuple) || (target.is(Kind::Name) && frames_.back().function->with_items.contains(target.text));
}

Object SideRun::make_result(const std::string& target, std::optional<std::size_t> item, std::size_t moment) {
  MemoryBlock block;
  block.kind = BlockKind::Result;
  block.first = moment;
  block.made_by = target;
  if (item) block.made_by += fmt::format("[{}]", *item);
  describe(block, statement_->comment);
  settle_by_calls(block, side_.facts, target, item);
  return make_block(std::move(block), ledger_);
}

void SideRun::describe(MemoryBlock& block, const std::shared_ptr<const KernelComment>& comment) {
  if (!comment) return;
  block.source_nodes = comment->source_nodes;
  block.original_aten = comment->original_aten;
}

Object SideRun::allocate(const PythonExpression& call) {
  const auto shape = sizes_of(argument(call, 1)), stride = sizes_of(argument(call, 2));
  const PythonExpression* const dtype = keyword(call, "dtype") ? keyword(call, "dtype") : argument(call, 3);
  MemoryBlock block;
  block.first = ledger_.now();
  block.device = device_of(call);
  block.shape = shape;
  block.stride = stride;
  block.dtype = dtype ? dtype_named(*dtype) : nullptr;
  settle_size(block, SizeSource::Wrapper);
  if (!block.size_bytes) note("not understood: the size of what is allocated");
  return make_block(std::move(block), ledger_);
}

std::string SideRun::device_of(const PythonExpression& call) {
  const std::string& callee = call.items[0].text;
  if (callee.starts_with("empty_strided_cpu")) return "cpu";  // pinned as well
  if (callee == "empty_strided_p2p") return "cuda";
  if (const PythonExpression* device = keyword(call, "device")) return device_type(device->text);
  constexpr std::string_view kPrefix = "empty_strided_";
  return callee.starts_with(kPrefix) ? callee.substr(kPrefix.size()) : "";
}

Object SideRun::view(const PythonExpression& call) {
  Object seen = first_argument(call);
  const bool may_be_tensor = seen.kind == Object::Kind::Tensor || seen.kind == Object::Kind::Other;
  if (!may_be_tensor) note("not understood: a view of something that is not a tensor");
  if (call.items[0].is_name("reinterpret_tensor")) {
    seen.shape = sizes_of(argument(call, 2)).value_or(Extents());
    seen.stride = sizes_of(argument(call, 3)).value_or(Extents());
  }
  return seen;
}

Object SideRun::clear_args(const PythonExpression&) {
  const auto found = names().find("args");
  if (found != names().end() && found->second.items) found->second.items->by_position.clear();
  return {};
}

Object SideRun::assert_one(const PythonExpression& call) {
  if (call.items.size() < 4) return {};
  const bool has_dtype = call.items[0].is_name("assert_tensor_metadata");
  const PythonExpression* const target = argument(call, has_dtype ? 5 : 4);
  const Dtype* const dtype = has_dtype && call.items.size() > 4 ? dtype_named(call.items[4]) : nullptr;
  apply_assertion(call.items[1], call.items[2], call.items[3], dtype, target ? target->text : "");
  return {};
}

Object SideRun::assert_several(const PythonExpression& call) {
  if (call.items.size() < 4) return {};
  for (std::size_t i = 0; i < call.items[1].items.size(); ++i) {
    if (i >= call.items[2].items.size() || i >= call.items[3].items.size()) break;
    apply_assertion(call.items[1].items[i], call.items[2].items[i], call.items[3].items[i], nullptr, "");
  }
  return {};
}

void SideRun::apply_assertion(const PythonExpression& name, const PythonExpression& shape, const PythonExpression& stride,
                              const Dtype* dtype, const std::string& target) {
  const auto found = names().find(name.text);
  const auto sizes = sizes_of(&shape), strides = sizes_of(&stride);
  if (found == names().end() || !found->second.memory || !sizes || !strides) return;
  found->second.shape = *sizes;
  found->second.stride = *strides;
  MemoryBlock& block = found->second.memory->block();
  const bool was_known = block.size_source == SizeSource::Wrapper || block.size_source == SizeSource::Example;
  if (was_known || block.size_source == SizeSource::Assertion) return;
  const bool is_part = block.is_asserted && !ends_later(*sizes, *strides, block);
  if (!is_part) {
    block.shape = *sizes;
    block.stride = *strides;
    block.is_asserted = true;
  }
  if (dtype) block.dtype = dtype;
  settle_size(block, SizeSource::Assertion);
  if (!dtype && !is_part) settle_dtype_by_calls(block, side_.facts, target, item_in(block.made_by));
}

std::optional<std::size_t> SideRun::item_in(std::string_view made_by) {
  if (!made_by.ends_with(']')) return std::nullopt;
  const std::string_view digits = made_by.substr(made_by.rfind('[') + 1);
  std::size_t item = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), item);
  return item;
}

bool SideRun::use_arguments(const PythonExpression& call) {
  std::string kernel = call.items[0].text;
  if (kernel.ends_with(".run")) kernel.resize(kernel.size() - 4);
  const auto signature = side_.wrapper.signatures.find(kernel);
  bool uses_some = false;
  for (std::size_t i = 1; i < call.items.size(); ++i) {
    const bool has_dtype = signature != side_.wrapper.signatures.end() && i - 1 < signature->second.size();
    uses_some = use(call.items[i], kernel, has_dtype ? signature->second[i - 1] : nullptr) || uses_some;
  }
  for (const PythonKeyword& given : call.keywords) uses_some = use(given.value, kernel, nullptr) || uses_some;
  return uses_some;
}

bool SideRun::use(const PythonExpression& given, const std::string& kernel, const Dtype* dtype) {
  if (given.is(Kind::Tuple) || given.is(Kind::List)) {
    bool uses_some = false;
    for (const PythonExpression& item : given.items) uses_some = use(item, kernel, nullptr) || uses_some;
    return uses_some;
  }
  const bool is_view = given.is(Kind::Call) && given.items[0].is_name("reinterpret_tensor");
  if (!given.is(Kind::Name) && !is_view) return false;
  const Object object = evaluate(given);
  if (!object.memory) return false;
  MemoryBlock& block = object.memory->block();
  if (block.made_by.empty() && block.kind != BlockKind::Input && block.kind != BlockKind::Tangent) {
    block.made_by = kernel;
    describe(block, statement_->comment);
  }
  if (dtype && !block.dtype) {
    block.dtype = dtype;
    settle_size(block, SizeSource::Kernel);
  }
  return true;
}

}  // namespace fxcut
