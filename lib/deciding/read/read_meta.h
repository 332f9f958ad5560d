// A node's `meta` from JSON.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "graph/graph.h"
#include "json/fields.h"

namespace fxcut {

// Reads the `meta` of nodes; nodes from one place of the user's program share its description.
class MetaReader {
 public:
  explicit MetaReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  // Fills `node.meta` and `node.provenance`. Unknown keys are ignored.
  void read(const JsonValue& json, Node& node);

 private:
  // A Provenance as views into the document, which outlives the reading.
  struct Line {
    std::string_view file, function;
    std::int64_t number = 0;

    bool operator==(const Line&) const = default;
  };
  struct Origin {
    std::string_view module, checkpoint_name;
    Line source, user_source;

    bool operator==(const Origin&) const = default;
  };
  struct OriginHash {
    std::size_t operator()(const Origin& origin) const;
  };
  using Origins = std::unordered_map<Origin, std::shared_ptr<const Provenance>, OriginHash>;

  void read_line(const JsonValue& json, std::string_view node, Line& line);
  void read_origin(const JsonValue& field, std::string_view node, Origin& origin);
  void read_field(const JsonValue& field, Node& node, Origin& origin);
  std::shared_ptr<const Provenance> share(const Origin& origin);

  Mistakes& mistakes_;
  Origins known_;
  const Origins::value_type* last_ = nullptr;
};

}  // namespace fxcut
