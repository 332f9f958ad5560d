// Device profiles from JSON.
#include "read/read_settings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "report/device_json.h"
#include "unit/without_excerpts.h"

namespace fxcut {
namespace {

DeviceProfile read_device(const std::string& text) { return read_device_profile(*Document::parse(text, "device.json")); }

std::string mistakes(const std::string& text) {
  try {
    read_device(text);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::BadInput);
    return without_excerpts(failure);
  }
  return "none";
}

TEST(ReadDeviceProfile, TakesWhatIsGiven) {
  const DeviceProfile profile = read_device(R"({"version": 1, "name": "mine", "source": "a book", "memory_gb_per_second": 500,
      "peak_tflops": {"float64": 1, "float32": 2.5, "float16": 4, "float8": 8}})");
  EXPECT_EQ(profile.name, "mine");
  EXPECT_EQ(profile.source, "a book");
  EXPECT_EQ(profile.tflops_float64, 1);
  EXPECT_EQ(profile.tflops_float32, 2.5);
  EXPECT_EQ(profile.tflops_float16, 4);
  EXPECT_EQ(profile.tflops_float8, 8);
  EXPECT_EQ(profile.memory_gb_per_second, 500);
}

TEST(ReadDeviceProfile, GroupsHaveLinksOfTheirOwn) {
  const std::string rates = R"({"version": 1, "memory_gb_per_second": 500, "peak_tflops": {"float32": 2.5, "float16": 4}, )";
  const DeviceProfile profile = read_device(
      rates + R"("groups": {"0": {"gb_per_second": 50, "ranks": 16, "latency_us": 2.5}, "tp": {"gb_per_second": 400}}})");
  ASSERT_EQ(profile.groups.size(), 2u);
  EXPECT_EQ(profile.groups[0].name, "0");
  EXPECT_EQ(profile.groups[0].gb_per_second, 50);
  EXPECT_EQ(profile.groups[0].ranks, 16);
  EXPECT_EQ(profile.groups[0].latency_us, 2.5);
  EXPECT_EQ(profile.groups[1].name, "tp");
  EXPECT_EQ(profile.groups[1].ranks, 0);
  EXPECT_EQ(mistakes(rates + R"("groups": {"0": {"ranks": -1, "speed": 3}}})"),
            "fxcut: device.json:1:122: /groups/0/speed: error: unknown member 'speed'\n"
            "  expected one of gb_per_second, ranks, latency_us\n"
            "fxcut: device.json:1:108: /groups/0: error: missing 'gb_per_second', a number above 0\n"
            "fxcut: device.json:1:118: /groups/0/ranks: error: expected 0 or more, found -1");
}

TEST(ReadDeviceProfile, ElementsMayHaveTimes) {
  const std::string rates = R"({"version": 1, "memory_gb_per_second": 500, "peak_tflops": {"float32": 2.5, "float16": 4}, )";
  const DeviceProfile profile = read_device(rates + R"("elements": {"random_ns": 10, "load_bool_ns": 0.5}})");
  EXPECT_EQ(profile.elements.random_ns, 10);
  EXPECT_EQ(profile.elements.store_bool_ns, 0);
  EXPECT_EQ(profile.elements.load_bool_ns, 0.5);
  EXPECT_EQ(mistakes(rates + R"("elements": {"random_ns": -1, "store_ns": 3}})"),
            "fxcut: device.json:1:122: /elements/store_ns: error: unknown member 'store_ns'\n"
            "  expected one of random_ns, store_bool_ns, load_bool_ns, store_mask_ns, load_mask_ns, operation_ns\n"
            "fxcut: device.json:1:118: /elements/random_ns: error: expected 0 or more, found -1");
}

TEST(ReadDeviceProfile, MasksAndProductsMayHaveFiguresOfTheirOwn) {
  const std::string rates = R"({"version": 1, "memory_gb_per_second": 500, "peak_tflops": {"float32": 2.5, "float16": 4}, )";
  const DeviceProfile without = read_device(rates + R"("elements": {"store_bool_ns": 10}, "kernels": {}})");
  EXPECT_EQ(without.elements.store_mask_ns, std::nullopt);
  EXPECT_EQ(without.elements.load_mask_ns, std::nullopt);
  EXPECT_EQ(without.elements.operation_ns, 0);
  EXPECT_EQ(without.kernels.exposed_traffic, 0);
  const DeviceProfile profile = read_device(
      rates + R"("elements": {"store_mask_ns": 0, "load_mask_ns": 1.5, "operation_ns": 0.1}, "kernels": {"exposed_traffic": 0.25}})");
  EXPECT_EQ(profile.elements.store_mask_ns, 0);
  EXPECT_EQ(profile.elements.load_mask_ns, 1.5);
  EXPECT_EQ(profile.elements.operation_ns, 0.1);
  EXPECT_EQ(profile.kernels.exposed_traffic, 0.25);
  EXPECT_EQ(mistakes(rates + R"("elements": {"load_mask_ns": -1}, "kernels": {"exposed_traffic": 1.5}})"),
            "fxcut: device.json:1:121: /elements/load_mask_ns: error: expected 0 or more, found -1\n"
            "fxcut: device.json:1:157: /kernels/exposed_traffic: error: expected a number of at most 1");
}

TEST(ReadDeviceProfile, WithoutANameItIsCalledUnnamed) {
  EXPECT_EQ(read_device(R"({"version": 1, "memory_gb_per_second": 5, "peak_tflops": {"float32": 2, "float16": 4}})").name,
            "unnamed device");
}

TEST(ReadDeviceProfile, MoreMultiprocessorsThanAnyCardHasAreRefused) {
  const std::string rates = R"({"version": 1, "memory_gb_per_second": 5, "peak_tflops": {"float32": 2, "float16": 4}, )";
  EXPECT_EQ(read_device(rates + R"("kernels": {"multiprocessors": 1000000}})").kernels.multiprocessors, 1e6);
  EXPECT_EQ(mistakes(rates + R"("kernels": {"multiprocessors": 1000001}})"),
            "fxcut: device.json:1:119: /kernels/multiprocessors: error: expected an integer of at most 1000000");
}

TEST(ReadDeviceProfile, RatesThatAreLeftOutAreThoseOfTheNextDtype) {
  const DeviceProfile profile =
      read_device(R"({"version": 1, "memory_gb_per_second": 500, "peak_tflops": {"float32": 2.5, "float16": 4}})");
  EXPECT_EQ(profile.tflops_float64, 2.5);
  EXPECT_EQ(profile.tflops_float8, 4);
}

TEST(ReadDeviceProfile, ListsEveryMistake) {
  EXPECT_EQ(mistakes(R"({"version": 2, "nmae": "mine", "memory_gb_per_second": 0,
"peak_tflops": {"float32": "fast", "float8": -1}})"),
            "fxcut: device.json:1:16: /nmae: error: unknown member 'nmae'\n"
            "  did you mean 'name'?\n"
            "fxcut: device.json:1:13: /version: error: expected \"version\": 1\n"
            "  this fxcut reads only that version\n"
            "fxcut: device.json:1:56: /memory_gb_per_second: error: expected a number above 0\n"
            "fxcut: device.json:2:28: /peak_tflops/float32: error: expected a real number, found a string\n"
            "fxcut: device.json:2:16: /peak_tflops: error: missing 'float16', a number above 0\n"
            "fxcut: device.json:2:46: /peak_tflops/float8: error: expected a number above 0");
}

TEST(ReadDeviceProfile, NeedsTheRates) {
  EXPECT_EQ(mistakes(R"({"version": 1, "memory_gb_per_second": 1})"),
            "fxcut: device.json:1:1: top level: error: missing 'peak_tflops', an object");
  EXPECT_EQ(mistakes("[]"), "fxcut: device.json:1:1: top level: error: expected an object, found an array");
}

// What a report says of a profile, the replay of its decision reads.
TEST(ReadDeviceProfile, WhatIsWrittenIsReadAgain) {
  std::vector<DeviceProfile> profiles = device_profiles();
  DeviceProfile& all = profiles.emplace_back(profiles.front());
  all.tflops_tf32 = 3;
  all.efficiency = {.products = 0.7, .attention = 0.6, .memory = 0.8, .cudnn_attention = 0.4, .layouts = 0.3};
  all.kernels = {.least_us = 2, .multiprocessors = 132, .launch_us = 4.5, .exposed_traffic = 0.25};
  all.elements = {.random_ns = 10, .store_bool_ns = 12, .load_bool_ns = 4, .operation_ns = 0.1, .store_mask_ns = 9,
                  .load_mask_ns = 0};
  all.groups = {{.name = "tp", .gb_per_second = 400, .ranks = 8, .latency_us = 2}};
  for (const DeviceProfile& profile : profiles) EXPECT_EQ(read_device(device_json(profile).dump()), profile) << profile.name;
}

}  // namespace
}  // namespace fxcut
