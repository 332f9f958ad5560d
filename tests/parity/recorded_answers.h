// PyTorch's recorded answers: each NAME.expected.json of testdata, whose cases are questions about NAME.json.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "json_graph.h"

namespace fxcut {

struct RecordedCase {
  std::string graph_path;  // of NAME.json
  std::size_t number = 0;  // among the cases of NAME.expected.json

  std::string name() const;  // "NAME_caseN", with letters, digits and underscores only
};

void PrintTo(const RecordedCase& recorded, std::ostream* out);

// All cases under `directory`, in the order of their paths. Throws if a file cannot be read, or there is none.
std::vector<RecordedCase> recorded_cases(const std::string& directory);

struct RecordedAnswer {
  std::string graph;   // its name
  std::string oracle;  // the PyTorch that answered, such as "torch 2.13.0+cpu"
  Json answer;    // the case
  Json settings;  // its `config` and `partitioner`, as a settings file has them
  Json flops;     // PyTorch's estimate by node, 1 where a node is not listed; null where the file has no estimates
};

// Throws where the file or the case has a key that is not listed as compared.
RecordedAnswer read_answer(const RecordedCase& recorded);

}  // namespace fxcut
