#include "small_training_step.h"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace fxcut {
namespace {

class StepWriter {
 public:
  explicit StepWriter(std::uint32_t seed) : random_(seed) {}

  std::string write(int calls) {
    add("primals_1", "placeholder", 8, chance(0.5) ? " static" : "");
    add("primals_2", "placeholder", 4 + below(8), "");
    text_ += "tangents_1 = placeholder : f32[8]\n";
    for (int i = 0; i < calls; ++i) add_call(i);
    const std::string output = any();
    std::string gradients;
    for (std::size_t i = 0; i < 1 + below(4); ++i) gradients += (i == 0 ? "" : ", ") + add_gradient(i);
    return text_ + fmt::format("return {} | {}\n", output, gradients);
  }

 private:
  struct Value {
    std::string name;
    std::size_t size;
    std::size_t storage;
  };

  void add(const std::string& name, const std::string& call, std::size_t size, const std::string& words) {
    add_in(storages_++, name, call, size, words);
  }
  void add_in(std::size_t storage, const std::string& name, const std::string& call, std::size_t size,
              const std::string& words) {
    text_ += fmt::format("{} = {} : f32[{}]@{}{}\n", name, call, size, storage, words);
    values_.push_back({name, size, storage});
  }

  void add_call(int number) {
    const std::string name = fmt::format("f{}", number);
    const Value x = values_[below(values_.size())];
    const std::size_t kind = below(9);
    switch (kind) {
      case 0:
      case 1: return add_in(x.storage, name, fmt::format("aten.view.default({}, [-1])", x.name), x.size, "");
      case 2: {  // both halves of a value, in its memory
        text_ += fmt::format("t{0} = aten.split.Tensor({1}, 2) : tuple(f32[2]@{2}, f32[2]@{2})\n", number, x.name,
                             x.storage);
        add_in(x.storage, name, fmt::format("operator.getitem(t{}, 0)", number), 2, "");
        return add_in(x.storage, name + "b", fmt::format("operator.getitem(t{}, 1)", number), 2, "");
      }
      case 3: {
        const std::size_t size = 1 + below(20);
        text_ += fmt::format("t{} = my.pair.default({}) : tuple(f32[{}]@{}, f32[2]@{})\n", number, x.name, size,
                             storages_, storages_ + 1);
        return add(name, fmt::format("operator.getitem(t{}, 0)", number), size, "");
      }
      case 4: return add(name, fmt::format("aten.rand_like.default({})", x.name), x.size, "");
      default: {
        const std::string words = tag();
        const std::size_t size = 1 + below(20);
        const std::string call =
            kind == 5 ? fmt::format("my.two.default({}, {})", x.name, any()) : fmt::format("my.one.default({})", x.name);
        return add(name, call, size, words);
      }
    }
  }

  std::string add_gradient(std::size_t number) {
    std::string taken = any();
    if (chance(0.4)) {  // depends on no gradient
      text_ += fmt::format("u{0} = my.before.default({1}) : f32[{2}]@{3}\n"
                           "v{0} = my.after.default(u{0}) : f32[{2}]@{4}\n",
                           number, taken, 1 + below(12), storages_, storages_ + 1);
      storages_ += 2;
      taken = fmt::format("u{0}, v{0}", number);
    }
    const std::string name = fmt::format("b{}", number);
    text_ += fmt::format("{} = my.grad.default(tangents_1, {}, {}) : f32[8]\n", name, taken, any());
    return name;
  }

  std::string any() { return values_[below(values_.size())].name; }
  std::string tag() { return chance(0.08) ? " recompute=MUST_SAVE" : chance(0.08) ? " recompute=MUST_RECOMPUTE" : ""; }
  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }
  bool chance(double probability) { return std::bernoulli_distribution(probability)(random_); }

  std::mt19937 random_;
  std::string text_;
  std::vector<Value> values_;
  std::size_t storages_ = 0;
};

}  // namespace

std::string small_training_step(std::uint32_t seed, int calls) { return StepWriter(seed).write(calls); }

}  // namespace fxcut
