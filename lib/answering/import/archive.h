// The archive that torch.export.save writes (.pt2): a zip file with the programs as models/NAME.json.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct ArchivedModel {
  std::string name;
  std::string json;
};

// Whether the bytes begin like a zip file.
bool is_archive(std::string_view bytes);

// The programs in an archive, in its order, without weights; `file` is for messages. Throws Failure (BadInput) if the archive
// is damaged, or the programs have more than `most_bytes` together, or more than any archive may (max_decompressed_bytes).
std::vector<ArchivedModel> read_archived_models(std::string_view bytes, std::string_view file,
                                                std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace fxcut
