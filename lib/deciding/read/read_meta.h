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
  struct Place {
    std::string_view module, checkpoint_name;
    Line source, user_source;

    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };
  using Places = std::unordered_map<Place, std::shared_ptr<const Provenance>, PlaceHash>;

  static void read_line(const JsonValue& json, Line& line);
  static void read_place(const JsonValue& field, Place& place);
  void read_field(const JsonValue& field, Node& node, Place& place);
  std::shared_ptr<const Provenance> share(const Place& place);

  Mistakes& mistakes_;
  Places known_;
  const Places::value_type* last_ = nullptr;
};

}  // namespace fxcut
