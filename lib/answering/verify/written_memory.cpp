#include "verify/written_memory.h"

#include <algorithm>

namespace fxcut {
namespace {

void collect(const Value& value, std::vector<std::int64_t>& storages) {
  if (value.is_tensor() && value.tensor.storage) {
    const std::int64_t storage = *value.tensor.storage;
    if (std::find(storages.begin(), storages.end(), storage) == storages.end()) storages.push_back(storage);
  }
  for (const Value& item : value.items) collect(item, storages);
}

}  // namespace

WrittenRegion WrittenMemory::make(std::optional<std::int64_t> storage) {
  regions_.push_back({storage});
  return static_cast<WrittenRegion>(regions_.size() - 1);
}

WrittenRegion WrittenMemory::make_own() {
  regions_.push_back({.storage = std::nullopt, .is_own = true});
  return static_cast<WrittenRegion>(regions_.size() - 1);
}

std::vector<WrittenRegion> WrittenMemory::copies_of(const std::vector<WrittenRegion>& regions) {
  if (regions.empty()) return {make_own()};
  std::vector<WrittenRegion> copies;
  for (const WrittenRegion region : regions) {
    const std::optional<std::int64_t> storage = storage_of(region);
    copies.push_back(storage ? make(storage) : make_own());
  }
  return copies;
}

void WrittenMemory::write(WrittenRegion region, Term event) {
  std::optional<Term>& history = regions_[index(region)].history;
  history = history ? terms_.make("then", {*history, event}) : event;
}

Term WrittenMemory::read(const Held& held) { return read(held, false); }
Term WrittenMemory::read_content(const Held& held) { return read(held, true); }

Term WrittenMemory::read(const Held& held, bool as_content) {
  Term term = held.term;
  for (const WrittenRegion region : held.memory) {
    const Written& written = regions_[index(region)];
    std::optional<Term> history = written.history;
    const auto same = as_content && history ? first_of_same_.find(*history) : first_of_same_.end();
    if (same != first_of_same_.end()) history = same->second;
    if (history) term = terms_.make(kWrittenTo, {written.is_overwritten ? unread_form(term) : term, *history});
  }
  return term;
}

Term before_writes(const Terms& terms, Term value) {
  while (terms.head(value) == kWrittenTo) value = terms.operands(value).front();
  return value;
}

std::vector<std::int64_t> storages_in(const Value* value) {
  std::vector<std::int64_t> storages;
  if (value) collect(*value, storages);
  return storages;
}

}  // namespace fxcut
