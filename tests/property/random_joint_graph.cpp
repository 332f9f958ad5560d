#include "random_joint_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string_view>
#include <vector>

#include "graph_text.h"

namespace fxcut {
namespace {

struct Kind {
  std::string_view format;  // {0} and {1} are the operands, {2} a number of the call's own
  std::string_view value;
};

// Matrices and vectors mix by broadcasting; what matters is that each operator is of its class.
constexpr std::string_view kMatrix = "f32[16, 16]";
constexpr std::array kForwardKinds = {
    Kind{"aten.sin.default({0})", kMatrix},
    Kind{"aten.cos.default({0})", kMatrix},
    Kind{"aten.mul.Tensor({0}, {1})", kMatrix},
    Kind{"aten.add.Tensor({0}, {1})", kMatrix},
    Kind{"aten.mm.default({0}, {1})", kMatrix},
    Kind{"aten.sum.dim_IntList({0}, [-1], True)", "f32[16, 1]"},
    Kind{"aten.view.default({0}, [16, 16])", kMatrix},
    Kind{"aten.cat.default([{0}, {1}])", "f32[32, 16]"},
    Kind{"my.custom.default({0})", kMatrix},
    Kind{"aten.rand_like.default({0}, seed={2})", kMatrix},
};
constexpr int kBackwardOutputs = 8;  // so that little of the backward is dead
// The backward draws no numbers.
constexpr std::size_t kBackwardKinds = kForwardKinds.size() - 1;

class GraphWriter {
 public:
  explicit GraphWriter(std::uint32_t seed) : random_(seed) {}

  std::string write(const JointGraphShape& shape) {
    text_ = made_by(shape.release);
    for (int i = 1; i <= shape.primals; ++i) {
      const std::string mark = offload_mark(), words = chance(0.5) ? " static" : "";
      add(fmt::format("primals_{}", i), "placeholder", kMatrix, words + mark, new_storage());
    }
    const std::size_t first_tangent = names_.size();
    for (int i = 1; i <= 2; ++i) add(fmt::format("tangents_{}", i), "placeholder", kMatrix, "", new_storage());
    for (int i = 0; i < shape.forward_calls; ++i) add_forward(i);
    const std::size_t first_backward = names_.size();
    for (int i = 0; i < shape.backward_calls; ++i) add_backward(first_tangent, first_backward, i);
    text_ += fmt::format("return {}, {} | ", forward_value(), names_[first_backward - 1]);
    for (int i = 0; i < kBackwardOutputs; ++i) text_ += backward_value(first_tangent, first_backward) + ", ";
    text_ += names_.back() + ", None\n";
    return text_;
  }

 private:
  void add(const std::string& name, std::string_view call, std::string_view value, std::string_view words,
           int storage) {
    text_ += fmt::format("{} = {} : {}@{}{}\n", name, call, value, storage, words);
    names_.push_back(name);
    storages_.emplace(name, storage);
  }
  int new_storage() { return next_storage_++; }
  // A view lies where its operand does.
  int storage_of(const Kind& kind, const std::string& first) {
    return kind.format.starts_with("aten.view.") ? storages_.at(first) : new_storage();
  }
  void add_forward(int number) {
    const std::string measured = run_time();
    std::string words = " partitioner_tag=is_forward" + offload_mark() + measured;
    if (chance(0.05)) {
      const int values = new_storage(), indices = new_storage();
      text_ += fmt::format("t{} = aten.topk.default({}, 16) : tuple(f32[16, 16]@{}, i64[16, 16]@{}) "
                           "partitioner_tag=is_forward\n",
                           number, forward_value(), values, indices);
      return add(fmt::format("f{}", number), fmt::format("operator.getitem(t{}, 0)", number), kMatrix,
                 words + recompute_tag(), values);
    }
    const Kind& kind = kForwardKinds[below(kForwardKinds.size())];
    // Random operators are what recomputing is hard with.
    words += &kind == &kForwardKinds.back() && chance(0.5) ? " recompute=MUST_RECOMPUTE" : recompute_tag();
    const bool is_turned = kind.value == kMatrix && chance(0.1);  // in memory: its columns one after the other
    const std::string second = forward_value(), first = forward_value();
    add(fmt::format("f{}", number), call(kind, first, second, number),
        is_turned ? "f32[16, 16]{1, 16}" : kind.value, words,
        storage_of(kind, first));
  }
  void add_backward(std::size_t first_tangent, std::size_t first_backward, int number) {
    const Kind& kind = kForwardKinds[below(kBackwardKinds)];
    // A part of the backward depends on no gradient: recomputed values there have other names.
    const bool takes_gradient = chance(0.8);
    const std::string first = takes_gradient ? backward_value(first_tangent, first_backward) : forward_value();
    const std::string words = " partitioner_tag=is_backward" + run_time(), second = forward_value();
    add(fmt::format("b{}", number), call(kind, first, second, number), kind.value, words, storage_of(kind, first));
  }

  static std::string call(const Kind& kind, const std::string& first, const std::string& second, int number) {
    return fmt::format(fmt::runtime(kind.format), first, second, number);
  }
  std::string recompute_tag() {
    constexpr std::array policies = {"MUST_RECOMPUTE", "PREFER_RECOMPUTE", "MUST_SAVE", "PREFER_SAVE",
                                     "MUST_CPU_OFFLOAD"};
    if (!chance(0.15)) return "";
    const std::string tag = fmt::format(" recompute={}", policies[below(policies.size())]);
    return chance(0.5) ? tag : tag + fmt::format(" ac_graph_id={}", 1 + below(3));
  }
  std::string offload_mark() { return chance(0.5) ? " should_offload=true" : ""; }
  std::string run_time() {
    return chance(0.5) ? fmt::format(" runtime_ms={}", 0.00001 * static_cast<double>(below(20))) : "";
  }
  // A primal or a forward call, the latest more often.
  std::string forward_value() {
    std::size_t i =
        chance(0.5) ? names_.size() - 1 - below(std::min<std::size_t>(names_.size(), 6)) : below(names_.size());
    while (!names_[i].starts_with('f') && !names_[i].starts_with('p')) i = below(names_.size());
    return names_[i];
  }
  std::string backward_value(std::size_t first_tangent, std::size_t first_backward) {
    const std::size_t calls = names_.size() - first_backward, i = below(calls + 2);
    return i < 2 ? names_[first_tangent + i] : names_[first_backward + i - 2];
  }
  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }
  bool chance(double probability) { return std::bernoulli_distribution(probability)(random_); }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> names_;
  std::map<std::string, int> storages_;
  int next_storage_ = 0;
};

}  // namespace

std::string random_joint_graph(std::uint32_t seed, const JointGraphShape& shape) { return GraphWriter(seed).write(shape); }

}  // namespace fxcut
