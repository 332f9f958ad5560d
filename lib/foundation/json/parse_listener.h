// What may be done with a document while the rest of it is still being parsed.
#pragma once

#include "json/document.h"

namespace fxcut {

// Is told by Document::parse, on its thread, what is complete. What a document has up to there may then be read on
// another thread, but no `end` of what is not complete, and no place.
class ParseListener {
 public:
  virtual ~ParseListener() = default;

  // `element` of `array`, which is a member of the root, is complete; so are the root's members before that.
  virtual void complete(const JsonValue& array, const JsonValue& element) = 0;

  // The document is about to move in memory, or to go: nobody may be reading it until the next call of `complete`.
  virtual void before_move() = 0;
};

}  // namespace fxcut
