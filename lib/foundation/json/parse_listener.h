// A listener that uses a document while the rest of it is being parsed.
#pragma once

#include "json/document.h"

namespace fxcut {

// Called by Document::parse, on its thread. The complete part of the document may then be read on another thread, but
// not an `end` of an incomplete value, and no place.
class ParseListener {
 public:
  virtual ~ParseListener() = default;

  // `element` of `array`, which is a member of the root, is complete; so are the root's members before that.
  virtual void complete(const JsonValue& array, const JsonValue& element) = 0;

  // The document is about to move in memory, or to be destroyed: it must not be read until the next call of `complete`.
  virtual void before_move() = 0;
};

}  // namespace fxcut
