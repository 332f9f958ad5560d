// The releases of PyTorch whose answers the program gives, and everything in which they differ: a stage that decides
// differently asks `release.has(Change::...)`, and the table in release.cpp says what each change is and why it was
// made.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fxcut {

enum class Change {
  CseByBackwardNeed,
  CseByStreamAndPool,
  CseByBits,
  CseSparesMutationBases,
  CseSparesImpure,
  ZeroDropoutIsNotRandom,
  DevicesAreFree,
  RegionsMayLeaveOut,
  ReplayedMutationsAreNotSaved,
  NoCandidatesLeaveTheCut,
  ItemsOfCollectivesAreSaved,
  EffectsAreNeverRecomputed,
  ControlDepsAreRebuilt,
  ShallowCopiesAreFunctional,
  SymbolsAreBoundWhereMade,
  SymbolsAreBoundUnreplaced,
  FlopCounter,
  PrintedCode,
  Count,  // no change: how many there are
};

// A release by its minor version: 13 is PyTorch 2.13.
struct Release {
  int minor;

  bool has(Change change) const;
  std::string version() const;  // "2.13"
  auto operator<=>(const Release&) const = default;
};

// Those that can be asked for. Both were compared with PyTorch itself (2.13.0 and 2.15.0).
inline constexpr Release kTorch2_13{13};
inline constexpr Release kTorch2_15{15};
inline constexpr Release kNewestRelease = kTorch2_15;

struct ChangeRow {
  Change change;
  Release since;
  std::string_view what;  // as the newer release does it
  std::string_view why;
  std::optional<Release> until = {};  // a later one that does not do so
};

// All changes, in the order of the stages that they concern, which is that of `Change`.
std::span<const ChangeRow> changes();

// Which release decides about a graph, and what said so.
struct ReleaseChoice {
  enum class Source { Setting, Producer, Nearest, Newest };

  Release release = kNewestRelease;
  Source source = Source::Newest;
  // The producer's release ("2.14") where it is a PyTorch whose answers are not known: a neighbour's are given instead.
  std::string unknown_release;
};

// A word for the source: "setting", "producer", "nearest" (to the producer's, which is not known), "newest".
std::string_view name_of(ReleaseChoice::Source source);

// The value of the setting torch_version that leaves the choice to the graph.
inline constexpr std::string_view kAsProducer = "producer";

// `torch_version` is kAsProducer or a version such as "2.13" or "2.13.0" of a known release. With kAsProducer the
// release is that of a producer such as "torch 2.13.0+cpu"; of an unknown PyTorch the newest known one that is not
// newer, or else the oldest; of any other producer the newest.
ReleaseChoice choose_release(std::string_view torch_version, std::string_view producer);

// Whether a value of torch_version is one of those.
bool is_known_torch_version(std::string_view torch_version);

}  // namespace fxcut
