// The page of two decisions: the curves that it is given, and its data.
#include "html/difference_page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

const std::string kHead = "step,graph,node,operator,bytes,bytes_after\n";

TEST(MemoryCurve, IsReadAsItWasWritten) {
  const CurveOfSteps curve = read_memory_curve(
      kHead + "0,forward,mm,aten.mm.default,100,60\n1,forward,\"a,b\",\"x\",200,0\n2,backward,mm,aten.mm.default,300,1\n",
      "curve.csv");
  EXPECT_EQ(curve.bytes, (std::vector<Int128>{100, 200, 300}));
  EXPECT_EQ(curve.forward_steps, 2u);
  EXPECT_TRUE(read_memory_curve(kHead, "curve.csv").bytes.empty());
  EXPECT_TRUE(read_memory_curve("", "curve.csv").bytes.empty());
}

TEST(MemoryCurve, TellsTheLineThatIsNone) {
  for (const std::string line :
       {"0,forward,mm,aten.mm.default,100,", "0,sideways,mm,x,1,2", "hello", "", "0,forward,mm,x,1e5,2"}) {
    try {
      read_memory_curve(kHead + "0,forward,mm,x,1,2\n" + line + "\n", "curve.csv");
      ADD_FAILURE() << line;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::BadInput);
      EXPECT_EQ(failure.diagnostics().front().place, "curve.csv");
      EXPECT_EQ(failure.diagnostics().front().message, "line 3 is not a step of a memory curve") << line;
    }
  }
}

TEST(DifferencePage, HasBothSidesAndNoTextThatEndsItsData) {
  Difference difference;
  difference.what = "report";
  difference.graph_before = difference.graph_after = "</script><b>";
  difference.figures = {{"peak_bytes", "peak", "B", 300, 200, true}};
  ValueChange change;
  change.after = ComparedValue{.name = "<img>", .op = "aten.mm.default", .extent = "", .provenance = {}};
  change.bytes = 5;
  difference.saved = {change};
  const std::string page = difference_page(difference, {"a", "b"}, {CurveOfSteps{{1, 2}, 1}, std::nullopt});
  EXPECT_EQ(page.find("<img>"), std::string::npos);
  const std::string begin = "id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  const auto data = nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
  EXPECT_EQ(data.at("title"), "</script><b>");
  EXPECT_EQ(data.at("figures")[0].at("after"), 200);
  EXPECT_EQ(data.at("changes").at("saved")[0].at("bytes"), 5);
  EXPECT_EQ(data.at("curves")[0].at("bytes"), (std::vector<int>{1, 2}));
  EXPECT_TRUE(data.at("curves")[1].is_null());
}

}  // namespace
}  // namespace fxcut
