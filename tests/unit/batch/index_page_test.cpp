// The index of a batch: its rows and their links.
#include "batch/index_page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace fxcut {
namespace {

TEST(IndexPage, LinksAreEscaped) {
  EXPECT_EQ(link_to("graphs/a b/100%#?.html"), "graphs/a%20b/100%25%23%3F.html");
  EXPECT_EQ(link_to("../x_1.2-3~/y"), "../x_1.2-3~/y");
}

TEST(IndexPage, HasARowForEachGraph) {
  const std::vector<std::string> lines = {
      R"({"name": "a/0", "status": "done", "key": "k", "torch_version": "2.13", "decided_by": "min_cut", "totals": {
          "saved_bytes": 9, "saved_bytes_not_static": 7, "recomputed_flops": 5, "recomputed_picoseconds": 2500000000,
          "recomputed_operators": 1, "peak_bytes": 11}})",
      R"({"name": "b", "status": "failed", "exit_status": 3, "errors": [{"message": "no graph"}]})"};
  const std::string page = index_page(lines, {"/x/pages/index.html", "/x/out"});
  const std::string begin = "id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  const auto data = nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
  EXPECT_EQ(data.at("title"), "out");
  ASSERT_EQ(data.at("graphs").size(), 2u);
  EXPECT_EQ(data.at("graphs")[0].at("page"), "../out/graphs/a/0/report.html");
  EXPECT_EQ(data.at("graphs")[0].at("held_bytes"), 7);
  EXPECT_EQ(data.at("graphs")[0].at("recomputed_ms"), 2.5);
  EXPECT_EQ(data.at("graphs")[1].at("message"), "no graph");
  EXPECT_FALSE(data.at("graphs")[1].contains("page"));
}

}  // namespace
}  // namespace fxcut
