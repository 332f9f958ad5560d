// The page of compiled code: its data.
#include "html/compiled_page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "compiled/compiled_code.h"

namespace fxcut {
namespace {

nlohmann::json content_of(const std::string& page) {
  constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(kBegin) + kBegin.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(CompiledPage, HasStatementsThatChangeMemoryAndBlocksByTheirPlacesAmongThem) {
  const std::string code = R"(# AOT ID: ['0_inference']
def call(args):
    buf0 = empty_strided_cpu((8, 4), (4, 1), torch.float32)
    cpp_fused_0(buf0)
    buf1 = empty_strided_cpu((2, ), (1, ), torch.int64)
    buf2 = empty_strided_cpu((0, ), (1, ), torch.int64)
    del buf0
    return (buf1, '</script>', )
)";
  CompiledMemory memory{"torch 2.13.0", replay_steps(find_compiled_code(code, "code.py").codes), {"a note"}};
  const nlohmann::json data = content_of(compiled_page(memory));
  EXPECT_EQ(data.at("notes"), nlohmann::json({"a note"}));
  const nlohmann::json& step = data.at("steps").at(0);
  EXPECT_EQ(step.at("line"), nlohmann::json({3, 5, 7}));
  EXPECT_EQ(step.at("bytes"), nlohmann::json({128, 144, 144}));
  EXPECT_EQ(step.at("peak_bytes"), 144);
  EXPECT_EQ(step.at("peak_at"), 1);
  EXPECT_EQ(step.at("forward_statements"), 3);
  ASSERT_EQ(step.at("blocks").size(), 2U) << "an empty one is left out";
  EXPECT_EQ(step.at("blocks").at(0).at("kind"), "temporary");
  EXPECT_EQ(step.at("blocks").at(0).at("first"), 0);
  EXPECT_EQ(step.at("blocks").at(0).at("last"), 2);
  EXPECT_EQ(step.at("blocks").at(1).at("kind"), "output");
  EXPECT_EQ(step.at("blocks").at(1).at("last"), -1);
}

}  // namespace
}  // namespace fxcut
