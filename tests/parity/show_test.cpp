// The graphs in testdata/show, in testdata/models and beside them as PyTorch prints them: code and tables have to be the same,
// byte for byte. Recorded by compare_show.py; the suffix of the file is the form printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <tuple>

#include "json/document.h"
#include "read/read_file.h"
#include "read/read_graph.h"
#include "show/graph_code.h"
#include "show/show_graph.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

struct Printed {
  std::string graph;  // the stem of its file
  std::string kind;
};

void PrintTo(const Printed& printed, std::ostream* out) { *out << printed.graph << ", " << printed.kind; }

std::vector<Printed> recorded_texts() {
  std::vector<Printed> found;
  for (const auto& entry : fs::directory_iterator(fs::path(FXCUT_TESTDATA) / "show")) {
    const std::string file = entry.path().filename().string();
    if (entry.path().extension() == ".json") continue;
    std::size_t dot = file.rfind('.');
    if (file.ends_with(".traced.readable")) dot = file.size() - std::string_view(".traced.readable").size();
    found.push_back({file.substr(0, dot), file.substr(dot + 1)});
  }
  std::sort(found.begin(), found.end(), [](const Printed& a, const Printed& b) {
    return std::tie(a.graph, a.kind) < std::tie(b.graph, b.kind);
  });
  return found;
}

std::string path_of(const std::string& graph) {
  for (const char* directory : {"show", "models", "."}) {
    const fs::path path = fs::path(FXCUT_TESTDATA) / directory / (graph + ".json");
    if (fs::exists(path)) return path.string();
  }
  return graph + ".json";
}

std::string print(const JointGraph& joint, const Document& document, const std::string& kind) {
  CodeStyle style{joint.torch.release};
  style.as_traced = kind.starts_with("traced");
  if (kind.ends_with("readable")) return readable_code(joint, document, style) + "\n";
  if (kind != "table") return graph_code(joint.graph, style) + "\n";
  std::ostringstream table;
  write_graph_table(joint.graph, table);
  return table.str();
}

class AsPytorchPrints : public testing::TestWithParam<Printed> {};

TEST_P(AsPytorchPrints, IsTheSame) {
  const std::string path = path_of(GetParam().graph);
  const auto document = Document::parse(read_file(path), path);
  const JointGraph joint = read_any_graph(*document).joint;
  const fs::path recorded = fs::path(FXCUT_TESTDATA) / "show" / (GetParam().graph + "." + GetParam().kind);
  EXPECT_EQ(print(joint, *document, GetParam().kind), read_file(recorded.string()));
}

INSTANTIATE_TEST_SUITE_P(Show, AsPytorchPrints, testing::ValuesIn(recorded_texts()), [](const auto& test) {
  std::string name = test.param.graph + "_" + test.param.kind;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '.'; }, '_');
  return name;
});

TEST(RecordedTexts, AreThere) { EXPECT_GE(recorded_texts().size(), 50u); }

}  // namespace
}  // namespace fxcut
