// The report as JSON and as a table.
#include "report/show_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>


namespace fxcut {
namespace {

SavedValue saved(std::string name, std::int64_t bytes) {
  SavedValue value;
  value.name = std::move(name);
  value.op = "aten.mm.default";
  value.dtype = "float32";
  value.shape = {Size{4, nullptr}, Size{8, std::make_shared<const Expression>(Expression{"2*s0", {"s0"}})}};
  value.size_bytes = bytes;
  value.why = {"compute_intensive", "not recomputed", Int128{12}, std::nullopt};
  return value;
}

nlohmann::json json_of(const Report& report) { return nlohmann::json::parse(report_json(report)); }

TEST(ReportJson, SaysWhatTheReportSays) {
  Report report;
  report.graph = "net";
  report.num_forward_outputs = 1;
  report.totals.saved_bytes = 128;
  report.saved_values = {saved("mm", 128)};
  report.cuts = {{BanOptions{}, 77, 9, 8}};
  const nlohmann::json json = json_of(report);
  EXPECT_EQ(json["format"], "fxcut-report");
  EXPECT_EQ(json["graph"], "net");
  EXPECT_EQ(json["totals"]["saved_bytes"], 128);
  EXPECT_EQ(json["saved_values"][0]["name"], "mm");
  EXPECT_EQ(json["saved_values"][0]["shape"][0], 4);
  EXPECT_EQ(json["saved_values"][0]["shape"][1]["expr"], "2*s0");
  EXPECT_EQ(json["saved_values"][0]["why"]["cost"], 12);
  EXPECT_FALSE(json["saved_values"][0].contains("module"));
  EXPECT_EQ(json["cuts"][0]["value"], 77);
  EXPECT_EQ(json["settings"]["max_dist_from_bw"], 1000);
}

TEST(ReportJson, SaysWhoDecided) {
  Report report;
  report.torch = {Release{13}, ReleaseChoice::Source::Nearest, "2.9"};
  report.decided_by = Partitioner::Default;
  const nlohmann::json json = json_of(report);
  EXPECT_EQ(json["torch_version"], "2.13");
  EXPECT_EQ(json["torch_version_from"], "nearest");
  EXPECT_EQ(json["decided_by"], "default");
  EXPECT_EQ(json_of({})["decided_by"], "min_cut");
}

TEST(ReportJson, SaysWhatIsOnTheHost) {
  Report report;
  report.saved_values = {saved("mm", 128), saved("sin", 64)};
  report.saved_values[0].host_name = "cpu_offload_mm";
  report.totals.offloaded_bytes = 128;
  report.totals.offloaded_values = 1;
  report.offload_refusals = {{"view", {"view", "it is a view", {}, {}}}};
  const nlohmann::json json = json_of(report);
  EXPECT_EQ(json["saved_values"][0]["offloaded"], true);
  EXPECT_EQ(json["saved_values"][0]["host_name"], "cpu_offload_mm");
  EXPECT_EQ(json["saved_values"][1]["offloaded"], false);
  EXPECT_FALSE(json["saved_values"][1].contains("host_name"));
  EXPECT_EQ(json["totals"]["offloaded_bytes"], 128);
  EXPECT_EQ(json["totals"]["offloaded_values"], 1);
  EXPECT_EQ(json["offload_refusals"][0]["name"], "view");
  EXPECT_EQ(json["offload_refusals"][0]["why"]["text"], "it is a view");
}

TEST(ReportJson, CountsBeyond64BitsAreRealNumbers) {
  Report report;
  report.totals.recomputed_flops = Int128{1} << 70;
  EXPECT_EQ(json_of(report)["totals"]["recomputed_flops"].get<double>(), 1180591620717411303424.0);
  report.totals.recomputed_flops = Int128{18446744073709551615u};
  EXPECT_EQ(json_of(report)["totals"]["recomputed_flops"].get<std::uint64_t>(), 18446744073709551615u);
}

TEST(ReportJson, NamesOfAnyBytesAreNoFailure) {
  Report report;
  report.graph = "\xff\xfe";
  EXPECT_NO_THROW(json_of(report));
}

TEST(ReportJson, EndsInANewline) { EXPECT_TRUE(report_json({}).ends_with("}\n")); }

TEST(ReportTable, SaysWhoDecided) {
  Report report;
  report.graph = "net";
  report.torch.release = Release{13};
  EXPECT_TRUE(report_table(report).starts_with("net: 0 forward and 0 backward operators, by the min_cut partitioner of "
                                               "PyTorch 2.13\n"))
      << report_table(report);
  report.decided_by = Partitioner::Default;
  EXPECT_NE(report_table(report).find("by the default partitioner of PyTorch 2.13"), std::string::npos);
}

TEST(ReportTable, ListsWhatStaysThoughItWasMarked) {
  Report report;
  EXPECT_EQ(report_table(report).find("offload"), std::string::npos);
  report.offload_refusals = {{"view", {"view", "it is a view", {}, {}}}};
  EXPECT_TRUE(report_table(report).ends_with("\nmarked for offloading, but not offloaded:\n  view: it is a view\n"));
}

TEST(ReportTable, ListsSavedValuesLargestFirstAndEqualOnesInOrder) {
  Report report;
  report.saved_values = {saved("small", 4), saved("large", 4000), saved("also_small", 4)};
  const std::string table = report_table(report);
  const std::size_t large = table.find("\nlarge "), small = table.find("\nsmall "), also = table.find("\nalso_small ");
  ASSERT_NE(large, std::string::npos) << table;
  EXPECT_LT(large, small);
  EXPECT_LT(small, also);
  EXPECT_NE(also, std::string::npos);
}

TEST(ReportTable, ARowSaysWhatWhereAndWhy) {
  Report report;
  SavedValue value = saved("mm", 128);
  value.provenance.module = "layers.0";
  value.static_lifetime = true;
  report.saved_values = {value};
  EXPECT_NE(report_table(report).find(
                "mm           aten.mm.default  [4, 2*s0]  float32  128 B  layers.0  not recomputed; always resident\n"),
            std::string::npos)
      << report_table(report);
}

}  // namespace
}  // namespace fxcut
