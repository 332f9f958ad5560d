// The members that the tables of report.json write.
#include "report/report_members.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "json/object_members.h"

namespace fxcut {
namespace {

TEST(ReportMembers, AProvenanceIsWrittenAsATreeHasIt) {
  const std::vector<Provenance> all = {{},
                                       {"model.layers.0", "model.py", 7, "forward", "q", "", 0, ""},
                                       {"", "model.py", 7, "", "", "train/step.py", 3, "step"},
                                       {"a\"b", "", 7, "forward", "\xff", "", 3, "step"}};
  for (const Provenance& provenance : all) {
    nlohmann::ordered_json tree = nlohmann::ordered_json::object();
    add_provenance(provenance, tree);
    std::string text;
    const TextSink sink = [&](std::string_view piece) { text += piece; };
    JsonText json(sink);
    ObjectWriter writer(json);
    members::kProvenance(writer, provenance);
    json.finish();
    EXPECT_EQ(text, json_file(tree));
  }
}

}  // namespace
}  // namespace fxcut
