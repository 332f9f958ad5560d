#include "compiled/side_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "import/aliases.h"
#include "import/size_arithmetic.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;
using Numbers = std::vector<std::int64_t>;

// Functions call functions a few levels deep, and tuples hold tuples.
constexpr std::size_t kDeepestCall = 50, kDeepestItems = 50;
// A wrapper has some hundred statements a layer; functions that call each other without end have more than this.
constexpr std::size_t kMostMoments = 5'000'000;

// From the first to the last element; nothing where that does not fit 63 bits.
std::optional<std::int64_t> storage_bytes(const Numbers& shape, const Numbers& stride, const Dtype& dtype) {
  if (shape.size() != stride.size()) return std::nullopt;
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t reach = 0;
    if (shape[i] < 0 || stride[i] < 0) return std::nullopt;
    if (shape[i] == 0) return 0;
    if (__builtin_mul_overflow(shape[i] - 1, stride[i], &reach)) return std::nullopt;
    if (__builtin_add_overflow(elements, reach, &elements)) return std::nullopt;
  }
  std::int64_t bytes = 0;
  return __builtin_mul_overflow(elements, std::int64_t{dtype.size_bytes}, &bytes) ? std::nullopt : std::optional(bytes);
}

// What storage_bytes takes, of a tensor of a graph.
Numbers hints_of(const Sizes& sizes) {
  Numbers numbers;
  for (const Size& size : sizes) numbers.push_back(size.hint);
  return numbers;
}

// Of "(32, 64)"; nothing where it holds anything but numbers.
std::optional<Numbers> plain_numbers(const PythonExpression& tuple) {
  Numbers numbers;
  for (const PythonExpression& item : tuple.items) {
    const auto number = item.is(Kind::Integer) ? evaluate_size(item, {}) : std::nullopt;
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

const Dtype* dtype_named(const PythonExpression& name) {
  constexpr std::string_view kTorch = "torch.";
  const bool is_torch = name.is(Kind::Name) && name.text.starts_with(kTorch);
  return is_torch ? find_dtype(std::string_view(name.text).substr(kTorch.size())) : nullptr;
}

const PythonExpression* keyword(const PythonExpression& call, std::string_view name) {
  for (const PythonKeyword& given : call.keywords) {
    if (given.name == name) return &given.value;
  }
  return nullptr;
}

// Argument number `position`, from 1 on; null where there is none.
const PythonExpression* argument(const PythonExpression& call, std::size_t position) {
  return position < call.items.size() ? &call.items[position] : nullptr;
}

// "cuda" of "cuda:0".
std::string device_type(std::string_view device) { return std::string(device.substr(0, device.find(':'))); }

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.starts_with(word); });
}

bool is_operator(std::string_view callee) {
  return begins_with_any(callee, {"extern_kernels.", "torch.ops.", "aten.", "inductor_ops.", "_quantized.", "prims."});
}

bool is_kernel(std::string_view callee) { return begins_with_any(callee, {"cpp_", "triton_"}) || callee.ends_with(".run"); }

void settle_size(MemoryBlock& block, SizeSource source) {
  if (!block.dtype || !block.shape || !block.stride) return;
  block.size_bytes = storage_bytes(*block.shape, *block.stride, *block.dtype);
  block.size_source = block.size_bytes ? source : SizeSource::Unknown;
}

class SideRun {
 public:
  SideRun(const SideCode& side, Ledger& ledger, std::vector<CodeNote>& notes)
      : side_(side), ledger_(ledger), notes_(notes), numbers_(side.code.hints) {}

  std::vector<Object> run(std::vector<Object> inputs) {
    Object args = items_object(std::move(inputs));
    const Object returned = call_function("call", std::move(args));
    std::vector<Object> outputs;
    if (returned.items) {
      for (const auto& [position, object] : returned.items->by_position) outputs.push_back(object);
    }
    return outputs;
  }

 private:
  struct Frame {
    const WrapperFunction* function = nullptr;
    std::map<std::string, Object, std::less<>> names;
  };
  using CallForm = Object (SideRun::*)(const PythonExpression& call);
  struct NamedForm {
    std::string_view callee;
    CallForm run;
  };

  // The calls that have a meaning of their own. All other calls are kernels or operators.
  static CallForm form_of(std::string_view callee) {
    static constexpr std::array<NamedForm, 18> kForms = {
        {{"empty_strided_cpu", &SideRun::allocate},
         {"empty_strided_cpu_pinned", &SideRun::allocate},
         {"empty_strided_cuda", &SideRun::allocate},
         {"empty_strided_xpu", &SideRun::allocate},
         {"empty_strided_mtia", &SideRun::allocate},
         {"empty_strided_p2p", &SideRun::allocate},
         {"empty_strided", &SideRun::allocate},
         {"tracked_empty_strided", &SideRun::allocate},
         {"reinterpret_tensor", &SideRun::view},
         {"aten.view.dtype", &SideRun::view},
         {"alloc_from_pool", &SideRun::view},
         {"copy_if_misaligned", &SideRun::view},
         {"assert_size_stride", &SideRun::assert_one},
         {"assert_tensor_metadata", &SideRun::assert_one},
         {"assert_size_stride_grouped", &SideRun::assert_several},
         {"assert_alignment", &SideRun::nothing},
         {"get_raw_stream", &SideRun::nothing},
         {"args.clear", &SideRun::clear_args}}};
    const auto* const found =
        std::find_if(kForms.begin(), kForms.end(), [&](const NamedForm& form) { return form.callee == callee; });
    return found == kForms.end() ? nullptr : found->run;
  }

  Object call_function(const std::string& name, Object args) {
    const auto found = side_.wrapper.functions.find(name);
    if (found == side_.wrapper.functions.end() || frames_.size() >= kDeepestCall) {
      note(fmt::format("not understood: a call of {}, {}", name, frames_.empty() ? "which is not here" : "nested too deep"));
      return {};
    }
    const WrapperStatement* const caller = statement_;
    frames_.push_back({&found->second, {}});
    names()["args"] = std::move(args);
    Object returned;
    for (const WrapperStatement& statement : found->second.statements) {
      begin(statement);
      if (statement.kind == WrapperStatement::Kind::Return) {
        returned = evaluate(statement.value);
        break;
      }
      run(statement);
    }
    frames_.pop_back();  // what has names only is freed
    if (caller) statement_ = caller;
    return returned;
  }

  void begin(const WrapperStatement& statement) {
    if (ledger_.moments.size() >= kMostMoments) {
      throw Failure(ExitStatus::BadInput, fmt::format("the code runs more than {} statements", kMostMoments),
                    "functions of the wrapper call each other without end; is it what inductor wrote?");
    }
    ledger_.moments.push_back({side_.code.side, statement.line, statement.text});
    statement_ = &statement;
  }

  void run(const WrapperStatement& statement) {
    switch (statement.kind) {
      case WrapperStatement::Kind::Assignment:
        return assign(statement.target, evaluate(statement.value));
      case WrapperStatement::Kind::Deletion:
        return forget(statement.target);
      case WrapperStatement::Kind::Expression:
        return run_alone(statement.value);
      case WrapperStatement::Kind::Return:
        return;
    }
  }

  // A call whose result nobody takes: a kernel, an operator that writes to `out`, an assertion.
  void run_alone(const PythonExpression& value) {
    if (!value.is(Kind::Call) || !value.items[0].is(Kind::Name)) return static_cast<void>(evaluate(value));
    const std::string& callee = value.items[0].text;
    const bool has_meaning = form_of(callee) != nullptr || side_.wrapper.functions.contains(callee);
    if (has_meaning) return static_cast<void>(evaluate(value));
    if (use_arguments(value) && !is_operator(callee) && !is_kernel(callee) && !side_.wrapper.signatures.contains(callee)) {
      note(fmt::format("not known: whether {} keeps what it takes: counted as if it did not", callee));
    }
  }

  void assign(const PythonExpression& target, Object object) {
    if (target.is(Kind::Name)) {
      if (object.memory) add_name(object.memory->block(), target.text);
      if (object.kind == Object::Kind::Number) numbers_.insert_or_assign(target.text, object.number);
      names()[target.text] = std::move(object);
    } else if (target.is(Kind::Tuple) || target.is(Kind::List)) {
      for (std::size_t i = 0; i < target.items.size(); ++i) assign(target.items[i], item_of(object, i));
    } else {
      note("not understood: what is assigned to; it keeps nothing here");
    }
  }

  static void add_name(MemoryBlock& block, const std::string& name) {
    if (std::find(block.names.begin(), block.names.end(), name) == block.names.end()) block.names.push_back(name);
    if (name.starts_with("workspace_") && block.kind == BlockKind::Buffer) block.kind = BlockKind::Workspace;
  }

  void forget(const PythonExpression& names_to_go) {
    if (!names_to_go.is(Kind::Tuple)) return forget_name(names_to_go.text);
    for (const PythonExpression& name : names_to_go.items) forget_name(name.text);
  }

  void forget_name(const std::string& name) {
    if (names().erase(name) == 0) note(fmt::format("not understood: {} goes, and is not there", name));
  }

  Object evaluate(const PythonExpression& expression) {
    switch (expression.kind) {
      case Kind::Name:
        return value_of_name(expression);
      case Kind::Integer:
      case Kind::Unary:
      case Kind::Binary:
        return evaluate_number(expression);
      case Kind::Tuple:
      case Kind::List:
        return evaluate_items(expression);
      case Kind::Subscript:
        return evaluate_item(expression);
      case Kind::Call:
        return evaluate_call(expression);
      default:
        return other();
    }
  }

  static Object other() {
    Object object;
    object.kind = Object::Kind::Other;
    return object;
  }

  // A name that the function does not bind is a constant of the module, a symbol with a hint, or a word of Python.
  Object value_of_name(const PythonExpression& expression) {
    if (const auto found = names().find(expression.text); found != names().end()) return found->second;
    if (expression.text == "None") return {};
    if (const auto number = numbers_.find(expression.text); number != numbers_.end()) return number_object(number->second);
    return other();
  }

  Object evaluate_number(const PythonExpression& expression) {
    const auto number = size_of(expression);
    return number ? number_object(*number) : other();
  }

  // A size. A symbol that has no value counts as PyTorch counts it, and that is said.
  std::optional<std::int64_t> size_of(const PythonExpression& expression) {
    std::set<std::string> symbols;
    collect_symbols(expression, symbols);
    for (const std::string& symbol : symbols) {
      if (numbers_.contains(symbol) || !unknown_symbols_.insert(symbol).second) continue;
      note(fmt::format("not known: {}, a size; it counts {}, unless --hints {}=N says otherwise", symbol, kUnhintedSize, symbol));
    }
    return evaluate_size(expression, numbers_);
  }

  std::optional<Numbers> sizes_of(const PythonExpression* tuple) {
    if (tuple == nullptr || !(tuple->is(Kind::Tuple) || tuple->is(Kind::List))) return std::nullopt;
    Numbers sizes;
    for (const PythonExpression& item : tuple->items) {
      const auto size = size_of(item);
      if (!size) return std::nullopt;
      sizes.push_back(*size);
    }
    return sizes;
  }

  Object evaluate_items(const PythonExpression& expression) {
    std::vector<Object> objects;
    for (const PythonExpression& item : expression.items) objects.push_back(evaluate(item));
    Object made = items_object(std::move(objects));
    if (made.items->depth <= kDeepestItems) return made;
    note("not understood: tuples within tuples, too many");
    return other();
  }

  Object evaluate_item(const PythonExpression& subscript) {
    const Object whole = evaluate(subscript.items[0]);
    const std::string& digits = subscript.items[1].text;
    std::size_t position = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), position);
    if (!subscript.items[1].is(Kind::Integer) || read.ec != std::errc()) {
      note("not understood: which item is taken");
      return other();
    }
    return item_of(whole, position);
  }

  // Of what an operator returned, the item comes to be where it is first taken: it was there since the call.
  Object item_of(const Object& whole, std::size_t position) {
    if (!whole.items) {
      if (whole.kind != Object::Kind::Other) note("not understood: an item of what has none");
      return other();
    }
    const auto found = whole.items->by_position.find(position);
    if (found != whole.items->by_position.end()) return found->second;
    if (whole.items->target.empty()) {
      note(fmt::format("not understood: item {} of what has {}", position, whole.items->by_position.size()));
      return other();
    }
    Object made = make_result(whole.items->target, position, whole.items->made_at);
    whole.items->by_position.emplace(position, made);
    return made;
  }

  Object evaluate_call(const PythonExpression& call) {
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

  Object first_argument(const PythonExpression& call) { return call.items.size() > 1 ? evaluate(call.items[1]) : Object(); }

  // "empty_strided_cuda(...).as_strided(...)": memory of more than the tensor needs.
  Object call_attribute(const PythonExpression& call) {
    Object object = evaluate(call.items[0].items[0]);
    if (call.items[0].text != "as_strided") note(fmt::format("not understood: .{}(...)", call.items[0].text));
    return object;
  }

  // "buf0.size()", "buf0.item()", "arg0_1.copy_(buf1)".
  std::optional<Object> call_method(const PythonExpression& call) {
    const std::string_view callee = call.items[0].text;
    const std::size_t dot = callee.rfind('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const auto found = names().find(callee.substr(0, dot));
    if (found == names().end()) return std::nullopt;
    const std::string_view method = callee.substr(dot + 1);
    if (method == "size" || method == "stride") return numbers_object(method == "size" ? found->second.shape : found->second.stride);
    if (method == "item") return other();  // a number that depends on data
    if (!method.ends_with('_') && method != "as_strided") note(fmt::format("not known: what .{}() returns; a view, it is assumed", method));
    return found->second;
  }

  static Object numbers_object(const Numbers& numbers) {
    std::vector<Object> objects;
    for (const std::int64_t number : numbers) objects.push_back(number_object(number));
    return items_object(std::move(objects));
  }

  // "max(1, s0)"; nothing of a call that is no arithmetic.
  std::optional<std::int64_t> evaluate_size_function(const PythonExpression& call) {
    constexpr std::array<std::string_view, 4> kFunctions = {"max", "min", "Max", "Min"};
    const bool is_one = std::find(kFunctions.begin(), kFunctions.end(), call.items[0].text) != kFunctions.end();
    return is_one ? size_of(call) : std::nullopt;
  }

  // An operator makes its result, or returns memory of an argument: `out`, or as its schema says.
  Object call_operator(const PythonExpression& call) {
    const std::string& callee = call.items[0].text;
    use_arguments(call);
    if (const PythonExpression* out = keyword(call, "out")) return evaluate(*out);
    if (const auto aliased = aliased_argument(registry_name(callee))) {
      if (const PythonExpression* by_name = keyword(call, aliased->name)) return evaluate(*by_name);
      if (const PythonExpression* given = argument(call, aliased->position + 1)) return evaluate(*given);
    }
    if (!is_operator(callee)) note(fmt::format("not known: what {} returns; memory of its own, it is assumed", callee));
    if (!is_taken_apart()) return make_result(callee, std::nullopt, ledger_.now());
    Object results = items_object({});
    results.items->target = callee;
    results.items->made_at = ledger_.now();
    return results;
  }

  static std::string_view registry_name(std::string_view callee) {
    constexpr std::string_view kOps = "torch.ops.";
    return callee.starts_with(kOps) ? callee.substr(kOps.size()) : callee;
  }

  // Whether the wrapper takes items of what this statement assigns.
  bool is_taken_apart() const {
    const PythonExpression& target = statement_->target;
    return target.is(Kind::Tuple) || (target.is(Kind::Name) && frames_.back().function->with_items.contains(target.text));
  }

  Object make_block(MemoryBlock block) {
    Object made;
    made.kind = Object::Kind::Tensor;
    made.shape = block.shape.value_or(Numbers());
    made.stride = block.stride.value_or(Numbers());
    ledger_.blocks.push_back(std::move(block));
    made.memory = std::make_shared<const Lease>(ledger_, ledger_.blocks.size() - 1);
    return made;
  }

  // Sized by what the graph says of the operator, where that is the same for all its calls, until an assertion follows.
  Object make_result(const std::string& target, std::optional<std::size_t> item, std::size_t moment) {
    MemoryBlock block;
    block.kind = BlockKind::Result;
    block.first = moment;
    block.made_by = target;
    if (item) block.made_by += fmt::format("[{}]", *item);
    describe(block, statement_->comment);
    const auto candidates = side_.facts.results_of(target, item);
    const auto is_like_first = [&](const GraphValue* value) {
      const auto& first = candidates.front()->tensor;
      return value->tensor && first && value->tensor->dtype == first->dtype &&
             hints_of(value->tensor->shape) == hints_of(first->shape) && hints_of(value->tensor->stride) == hints_of(first->stride);
    };
    if (!candidates.empty() && std::all_of(candidates.begin(), candidates.end(), is_like_first)) {
      const Tensor& tensor = *candidates.front()->tensor;
      block.dtype = tensor.dtype;
      block.shape = hints_of(tensor.shape);
      block.stride = hints_of(tensor.stride);
      block.device = device_type(tensor.device);
      settle_size(block, SizeSource::Graph);
    }
    if (candidates.size() == 1) name_node(block, *candidates.front());
    return make_block(std::move(block));
  }

  static void name_node(MemoryBlock& block, const GraphValue& value) {
    block.node = value.node;
    block.source = value.source;
  }

  static void describe(MemoryBlock& block, const std::shared_ptr<const KernelComment>& comment) {
    if (!comment) return;
    block.source_nodes = comment->source_nodes;
    block.original_aten = comment->original_aten;
  }

  // empty_strided_cuda(shape, stride, dtype), empty_strided(shape, stride, device=, dtype=)
  Object allocate(const PythonExpression& call) {
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
    return make_block(std::move(block));
  }

  static std::string device_of(const PythonExpression& call) {
    const std::string& callee = call.items[0].text;
    if (callee.starts_with("empty_strided_cpu")) return "cpu";  // pinned as well
    if (callee == "empty_strided_p2p") return "cuda";
    if (const PythonExpression* device = keyword(call, "device")) return device_type(device->text);
    constexpr std::string_view kPrefix = "empty_strided_";
    return callee.starts_with(kPrefix) ? callee.substr(kPrefix.size()) : "";
  }

  // The memory of the first argument, as another tensor.
  Object view(const PythonExpression& call) {
    Object seen = first_argument(call);
    if (seen.kind != Object::Kind::Tensor && seen.kind != Object::Kind::Other) note("not understood: a view of what is no tensor");
    if (call.items[0].is_name("reinterpret_tensor")) {
      seen.shape = sizes_of(argument(call, 2)).value_or(Numbers());
      seen.stride = sizes_of(argument(call, 3)).value_or(Numbers());
    }
    return seen;
  }

  Object nothing(const PythonExpression&) { return other(); }

  Object clear_args(const PythonExpression&) {
    if (const auto found = names().find("args"); found != names().end() && found->second.items) found->second.items->by_position.clear();
    return {};
  }

  // assert_size_stride(buf0, shape, stride, 'torch.ops.aten.mm.default'), and with a dtype before the operator.
  Object assert_one(const PythonExpression& call) {
    if (call.items.size() < 4) return {};
    const bool has_dtype = call.items[0].is_name("assert_tensor_metadata");
    const PythonExpression* const target = argument(call, has_dtype ? 5 : 4);
    is_as_asserted(call.items[1], call.items[2], call.items[3], has_dtype && call.items.size() > 4 ? dtype_named(call.items[4]) : nullptr,
                   target ? target->text : "");
    return {};
  }

  Object assert_several(const PythonExpression& call) {
    if (call.items.size() < 4) return {};
    for (std::size_t i = 0; i < call.items[1].items.size(); ++i) {
      if (i >= call.items[2].items.size() || i >= call.items[3].items.size()) break;
      is_as_asserted(call.items[1].items[i], call.items[2].items[i], call.items[3].items[i], nullptr, "");
    }
    return {};
  }

  void is_as_asserted(const PythonExpression& name, const PythonExpression& shape, const PythonExpression& stride,
                      const Dtype* dtype, const std::string& target) {
    const auto found = names().find(name.text);
    const auto sizes = sizes_of(&shape), strides = sizes_of(&stride);
    if (found == names().end() || !found->second.memory || !sizes || !strides) return;
    found->second.shape = *sizes;
    found->second.stride = *strides;
    MemoryBlock& block = found->second.memory->block();
    const bool was_known = block.size_source == SizeSource::Wrapper || block.size_source == SizeSource::Example;
    if (was_known || block.size_source == SizeSource::Assertion) return;
    block.shape = *sizes;
    block.stride = *strides;
    if (dtype) block.dtype = dtype;
    settle_size(block, SizeSource::Assertion);
    if (!dtype) settle_by_graph(block, target);
  }

  // The dtype of the nodes that may have made it: of that operator, that item of it, and that shape.
  void settle_by_graph(MemoryBlock& block, const std::string& target) {
    std::vector<const GraphValue*> candidates;
    for (const GraphValue* value : side_.facts.results_of(target, item_in(block.made_by))) {
      if (value->tensor && hints_of(value->tensor->shape) == block.shape) candidates.push_back(value);
    }
    if (candidates.empty()) return;
    const Tensor& first = *candidates.front()->tensor;
    const bool agree = std::all_of(candidates.begin(), candidates.end(),
                                   [&](const GraphValue* value) { return value->tensor->dtype == first.dtype; });
    if (!agree) return;
    block.dtype = first.dtype;
    block.device = device_type(first.device);
    settle_size(block, SizeSource::Graph);
    if (candidates.size() == 1) name_node(block, *candidates.front());
  }

  // 1 of "torch.ops.aten.topk.default[1]".
  static std::optional<std::size_t> item_in(std::string_view made_by) {
    if (!made_by.ends_with(']')) return std::nullopt;
    const std::string_view digits = made_by.substr(made_by.rfind('[') + 1);
    std::size_t item = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), item);
    return item;
  }

  // Whether it takes any memory of the step. What has no maker yet is made by this call.
  bool use_arguments(const PythonExpression& call) {
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

  bool use(const PythonExpression& given, const std::string& kernel, const Dtype* dtype) {
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

  std::map<std::string, Object, std::less<>>& names() { return frames_.back().names; }

  void note(std::string text) {
    const std::size_t line = statement_ ? statement_->line : 0;
    if (statement_ && text.starts_with("not understood")) text += fmt::format(": {}", statement_->text);
    notes_.push_back({line, std::move(text)});
  }

  const SideCode& side_;
  Ledger& ledger_;
  std::vector<CodeNote>& notes_;
  SymbolHints numbers_;
  std::set<std::string> unknown_symbols_;
  std::vector<Frame> frames_;
  const WrapperStatement* statement_ = nullptr;
};

}  // namespace

Object make_input(const SideCode& side, const std::string& name, BlockKind kind, Ledger& ledger) {
  MemoryBlock block;
  block.kind = kind;
  block.names = {name};
  block.first = ledger.moments.size();
  const auto example = side.wrapper.example_inputs.find(name);
  if (example != side.wrapper.example_inputs.end()) {
    const PythonExpression& value = example->second;
    const bool is_number = value.is(Kind::Integer) || value.is(Kind::Unary);
    if (const auto number = is_number ? evaluate_size(value, {}) : std::nullopt) return number_object(*number);
    const PythonExpression* const dtype = value.is(Kind::Call) ? keyword(value, "dtype") : nullptr;
    if (dtype != nullptr && value.items[0].is_name("rand_strided") && value.items.size() > 2) {
      block.shape = plain_numbers(value.items[1]);
      block.stride = plain_numbers(value.items[2]);
      block.dtype = dtype_named(*dtype);
      if (const PythonExpression* device = keyword(value, "device")) block.device = device_type(device->text);
      settle_size(block, SizeSource::Example);
    }
  }
  if (const GraphValue* value = side.facts.find(name)) {
    block.node = name;
    if (!block.size_bytes && value->tensor) {
      block.dtype = value->tensor->dtype;
      block.shape = hints_of(value->tensor->shape);
      block.stride = hints_of(value->tensor->stride);
      block.device = device_type(value->tensor->device);
      settle_size(block, SizeSource::Graph);
    }
  }
  Object made;
  made.kind = Object::Kind::Tensor;
  made.shape = block.shape.value_or(Numbers());
  made.stride = block.stride.value_or(Numbers());
  ledger.blocks.push_back(std::move(block));
  made.memory = std::make_shared<const Lease>(ledger, ledger.blocks.size() - 1);
  return made;
}

std::vector<Object> run_side(const SideCode& side, std::vector<Object> inputs, Ledger& ledger, std::vector<CodeNote>& notes) {
  return SideRun(side, ledger, notes).run(std::move(inputs));
}

}  // namespace fxcut
