// The memory that is predicted of compiled code, against that of the code which inductor generated for the same graphs and the
// same decisions: testdata/inductor. python/bench/predicted_memory.py makes the same for other models.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "json_graph.h"
#include "partition/partition.h"
#include "policy/setting_rows.h"
#include "read/decompress.h"
#include "read/read_file.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

constexpr const char* kGenerated = FXCUT_TESTDATA "/inductor/";
// Inductor's CUDA code, of PyTorch 2.13 and 2.15 by the names, as it writes it for an H100.
constexpr const char* kCudaFolder = FXCUT_TESTDATA "/inductor/cuda/";

struct Compared {
  double generated = 0, predicted = 0;          // peaks, in bytes
  double predicted_off = 0, operators_off = 0;  // of the peak that was generated, as a share of it
  double between_off = 0;
};

Settings settings_of(const Json& config) {
  Settings settings;
  settings.sound = Soundness::Never;
  settings.memory_of = MemoryOf::Compiled;
  for (const auto& [name, value] : config.items()) {
    if (value.is_string()) set_setting(settings, name, value.get<std::string>(), "config");
    else set_setting(settings, name, value.get<double>(), "config");
  }
  return settings;
}

double off(double figure, double truth) { return std::abs(figure / std::max(truth, 1.0) - 1); }

Compared compare(const std::string& model, const Json& generated, const std::string& folder = kGenerated) {
  const std::string path = folder + model + ".json.zst";
  JointGraph joint = read_joint_graph(*Document::parse(decompressed(read_file(path), path), path));
  const MemoryReport memory = partition(std::move(joint), settings_of(generated.at("config"))).report.memory;
  const double forward = generated.at("forward_peak_bytes"), backward = generated.at("backward_peak_bytes");
  const double truth = std::max(forward, backward);
  const auto predicted = static_cast<double>(memory.compiled->peak_bytes);
  return {truth, predicted, off(predicted, truth), off(static_cast<double>(memory.peak_bytes), truth),
          off(static_cast<double>(memory.compiled->between_bytes), generated.at("between_bytes"))};
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Pairs of decisions on a model whose generated peaks differ by more than 3 %, and those of them that are predicted the other
// way.
struct Order {
  int pairs = 0, inverted = 0;
};

void count_order(const std::vector<Compared>& decisions, Order& order) {
  for (const Compared& lower : decisions) {
    for (const Compared& higher : decisions) {
      if (higher.generated <= lower.generated * 1.03) continue;
      ++order.pairs;
      order.inverted += higher.predicted <= lower.predicted;
    }
  }
}

TEST(PredictedMemory, IsThatOfTheCodeThatInductorGenerates) {
  std::vector<double> predicted, operators;
  Order order;
  const Json peaks = Json::parse(read_file(std::string(kGenerated) + "peaks.json"));
  for (const auto& [model, decisions] : peaks.items()) {
    std::vector<Compared> of_model;
    for (const Json& generated : decisions) {
      const Compared compared = compare(model, generated);
      of_model.push_back(compared);
      predicted.push_back(compared.predicted_off);
      operators.push_back(compared.operators_off);
      EXPECT_LT(compared.predicted_off, 0.031) << model << " " << generated;
      EXPECT_LT(compared.between_off, 0.01) << "what is held between forward and backward: " << model << " " << generated;
    }
    count_order(of_model, order);
  }
  ASSERT_EQ(predicted.size(), 72U);
  EXPECT_LT(median(predicted), 0.001);
  EXPECT_GT(order.pairs, 70);
  EXPECT_EQ(order.inverted, 0);
  EXPECT_GT(median(operators), 0.1) << "op by op: if it is as near, nothing need be predicted";
}

TEST(PredictedMemory, IsThatOfCudaCode) {
  const Json peaks = Json::parse(read_file(std::string(kCudaFolder) + "peaks.json"));
  std::size_t decisions = 0;
  for (const auto& [model, of_model] : peaks.items()) {
    for (const Json& generated : of_model) {
      const Compared compared = compare(model, generated, kCudaFolder);
      EXPECT_LT(compared.predicted_off, 0.0001) << model << " " << generated << " predicted " << compared.predicted;
      EXPECT_LT(compared.between_off, 0.0001) << "what is held between forward and backward: " << model << " " << generated;
      ++decisions;
    }
  }
  EXPECT_EQ(decisions, 25U);
}

}  // namespace
}  // namespace fxcut
