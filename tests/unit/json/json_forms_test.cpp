// A form that is written is the one that a tree has.
#include "json/json_forms.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fxcut {
namespace {

TEST(JsonForms, AProvenanceIsWrittenAsATreeHasIt) {
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
    write_provenance(provenance, json);
    json.finish();
    EXPECT_EQ(text, json_file(tree));
  }
}

}  // namespace
}  // namespace fxcut
