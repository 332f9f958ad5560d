// Written files read back the same: on random joint graphs with rare features, under random settings and policies, the two graphs
// and the report that verify reads agree.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "policy/jax_policies.h"
#include "random_partition.h"
#include "unit/read_back.h"
#include "verify/verify.h"

namespace fxcut {
namespace {

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : random_(seed) {}
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

 private:
  std::mt19937 random_;
};

// A graph of random_text's with more in it.
class Varied {
 public:
  explicit Varied(std::uint32_t seed) : draw_(seed) {
    const std::string body = "a = placeholder : f32[16, 16]\nfwd_rng_state_0 = placeholder\n";
    text_ = subgraphs_line({{"draws", body + "b = aten.sin.default(a) : f32[16, 16]\nreturn (b,)"},
                            {"plain", "a = placeholder : f32[16, 16]\nb = aten.cos.default(a) : f32[16, 16]\n"
                                      "return (b,)"}}) +
            "state = placeholder : backward_state\nsize = placeholder : symint(s0=16)\n";
    std::istringstream lines(random_text(seed));
    for (std::string line; std::getline(lines, line);) add(line);
  }
  const std::string& text() const { return text_; }

 private:
  void add(std::string line) {
    if (line.starts_with("b0 = ")) add_forward();
    if (line.starts_with("return ")) return finish(line);
    const bool is_named = line.starts_with('f') || line.starts_with("primals_");
    if (is_named && draw_.one_in(6)) line += draw_.one_in(2) ? " checkpoint_name=q" : " checkpoint_name=k";
    if (line.starts_with("tangents_") && draw_.one_in(3)) line += " static";
    const std::string first_tangent = "tangents_1 = placeholder";  // whose name may not be its target
    if (line.starts_with(first_tangent) && draw_.one_in(4)) line.insert(first_tangent.size(), " the_tangents");
    text_ += line + "\n";
  }

  void add_forward() {
    const std::string tag = " partitioner_tag=is_forward";
    if (draw_.one_in(3)) text_ += "check = aten._assert_async.msg(primals_1, \"m\") : none" + tag + "\n";
    while (draw_.one_in(2)) call_subgraph("primals_1", tag);
    if (!draw_.one_in(3)) return;
    const std::string value = " : f32[16, 16]@" + std::to_string(storage_++) + tag;
    text_ += "optimization_barrier = xla.optimization_barrier.default([primals_2]) : tuple(f32[16, 16]@" +
             std::to_string(storage_ - 1) + ")" + tag + "\ngetitem = operator.getitem(optimization_barrier, 0)" + value +
             (draw_.one_in(2) ? " recompute=MUST_RECOMPUTE\n" : "\n");
    tagged_.push_back("getitem");
  }

  // The backward's other calls, and the outputs of the step.
  void finish(std::string output) {
    const std::string tag = " partitioner_tag=is_backward";
    if (draw_.one_in(10)) {  // then there is no backward
      text_ += output.substr(0, output.find('|')) + "\n";
      return;
    }
    while (draw_.one_in(2)) call_subgraph("tangents_2", tag);
    if (draw_.one_in(3)) tagged_.push_back("state");
    if (draw_.one_in(3)) tagged_.push_back("size");
    for (const std::string& value : tagged_) {
      const std::string name = "extra_" + value;
      text_ += name + " = my.gradient.default(tangents_2, " + value + ") : f32[16, 16]@" + std::to_string(storage_++) +
               tag + "\n";
      output += ", " + name;
    }
    text_ += output + "\n";
  }

  // With a generator or without, which is for the caller to hand in.
  void call_subgraph(const std::string& input, const std::string& tag) {
    const std::string body = draw_.one_in(2) ? "draws" : "plain", suffix = calls_ == 0 ? "" : fmt::format("_{}", calls_);
    ++calls_;
    const std::string value = "f32[16, 16]@" + std::to_string(storage_++);
    text_ += fmt::format("body{0} = get_attr {1}\n"
                         "invoke_subgraph{0} = higher_order.invoke_subgraph(body{0}, \"{1}\", {2}) : tuple({3}){4}\n"
                         "item{0} = operator.getitem(invoke_subgraph{0}, 0) : {3}{4}\n",
                         suffix, body, input, value, tag);
    tagged_.push_back("item" + suffix);
  }

  Draw draw_;
  std::string text_;
  std::vector<std::string> tagged_;  // by the backward
  int calls_ = 0, storage_ = 1000;
};

Settings varied_settings(std::uint32_t seed) {
  Draw draw(seed + 1);
  Settings settings = random_settings(seed);
  settings.offload_dialect = draw.one_in(2) ? OffloadDialect::Xla : OffloadDialect::Aten;
  settings.recompute_barrier = draw.one_in(3);
  settings.graphsafe_rng_functionalization = draw.one_in(2);
  return settings;
}

Policy on_name(const std::string& name, RuleOutcome says) {
  PolicyRule rule;
  rule.match.name = Pattern::glob(name);
  rule.policy = says;
  return {name, RuleList{{rule}, {}}};
}

JaxPolicy any_jax_policy(Draw& draw) {
  const auto& kinds = jax_policy_names();
  JaxPolicy policy;
  do {
    policy.kind = kinds[draw.below(static_cast<std::uint32_t>(kinds.size()))];
  } while (policy.kind == "save_from_both_policies");
  if (!mistake_in(policy)) return policy;
  policy.names = {"q"};
  if (!mistake_in(policy)) return policy;
  policy.names = {};
  policy.save = {"q"};
  policy.offload = {"k"};
  return policy;
}

PolicyStack varied_policies(std::uint32_t seed) {
  Draw draw(seed + 2);
  using enum CheckpointPolicy;
  switch (draw.below(6)) {
    case 0: return {on_name("q", MustSave), on_name("k", PreferCpuOffload)};
    case 4: return {on_name("*", Compressing{}), on_name("q", Compressing{find_dtype("float8_e5m2")})};
    case 1: return {on_name("q", MustRecompute)};
    case 2:
    case 3: {
      const JaxPolicy policy = any_jax_policy(draw);
      return {{describe(policy), policy}};
    }
    default: return {};
  }
}

TEST(ReadBack, ThePartitionAndItsReportAgree) {
  std::uint32_t sound = 0, drawn_again = 0;
  for (std::uint32_t seed = 1; seed <= kGraphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    try {
      const ReadBack made =
          partition_and_read_back(Varied(seed).text(), varied_settings(seed), varied_policies(seed));
      const Verification with_report = made.verify_with_report(), by_names = made.verify_by_names();
      if (draws_again(with_report)) {
        ++drawn_again;
        continue;
      }
      ++sound;
      EXPECT_TRUE(with_report.mismatches.empty()) << verification_text(with_report);
      EXPECT_TRUE(by_names.mismatches.empty()) << verification_text(by_names);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition) << failure.what();
    }
  }
  EXPECT_GT(sound, kGraphs / 2) << "most graphs cannot be partitioned";
  EXPECT_LT(drawn_again * 20, sound);
}

}  // namespace
}  // namespace fxcut
