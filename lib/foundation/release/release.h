// The releases of PyTorch that fxcut can decide as, and all their differences: code that depends on one checks
// `release.has(Change::...)`, and the table in changes.cpp has the description and reason of each change.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

enum class Change {
  DevicesAreFree,
  RegionsMayLeaveOut,
  ReplayedMutationsAreNotSaved,
  ItemsOfCollectivesAreSaved,
  EffectsAreNeverRecomputed,
  FlopsOfCpuAttention,
  FlopsOfWideGradients,
  GradientsDecideLayout,
  FlatReductionsMix,
  ReadsInTwoWaysFuse,
  WholeMatricesAreAdded,
  CseByBackwardNeed,
  CseByStreamAndPool,
  CseByBits,
  CseSparesMutationBases,
  CseSparesImpure,
  ZeroDropoutIsNotRandom,
  NoCandidatesLeaveTheCut,
  ControlDepsAreRebuilt,
  ShallowCopiesAreFunctional,
  SymbolsAreBoundWhereMade,
  SymbolsAreBoundUnreplaced,
  FlopsOfKeywordProducts,
  FlopsOfFlashBySequence,
  PrintedCode,
  GradientsOrderInputs,
  RegionsHaveBudgets,
  DefaultDropsAssertedBooleans,
  AsyncAssertsAreRepeatable,
  ScriptObjectsMayCountNothing,
  ResultlessOperatorsHaveNoSize,
  ReloadsRestoreLayout,
  FlopsOfFlexAttention,
  OpaqueValuesAreSaved,
  AssertedBooleansAreNotSaved,
  AsyncCopiesAreTwoCalls,
  CallersOutputsAreNotQuantized,
  FlopsOfSharedHeads,
  PaddingsAreConcatenations,
  NamesCountFromBase,
  GradientsMayBeSaved,
  InvalidOutputsAreReplaced,
  EffectsAreForcedSaved,
  ScriptObjectsAreSaved,
  UncheckedValuesAreLast,
  ProfilerMarksAreRepeatable,
  DefaultOffloads,
  DeadRandomPairsAreSkipped,
  DefaultKeepsPlacement,
  RegionsNeedNoNumber,
  MutationsKeepTheirSide,
  InputsAreOfEitherSide,
  NonBuiltinsMayBeIncluded,
  HirschbergSolver,
  EffectsHaveARegistry,
  FlopsOfOtherConvolutions,
  BackwardMutationSourcesAreSaved,
  MustBeInForward,
  GeneratorsAreThreaded,
  FlopsOfCudnnConvolutions,
  GetitemsAreRaised,
  DeadWaitsAreNotUses,
  StaticInputsAreFree,
  CollectivesAreSaved,
  CopiesAreKeptInOrder,
  MustSaveIsNoCandidate,
  CandidatesByBan,
  SubgraphsLoseDeadCode,
  KneeByLinspace,
  DeadRandomCallsStay,
  GraphsafeRandomness,
  OutputIsKeptWithoutStates,
  KneeSolver,
  AssertsHaveNoSize,
  UnhintedSizesMultiply,
  FlopsOfScaledProducts,
  NamesCountFromZero,
  HookedOutputsAreSaved,
  TritonResultsDoNotFuse,
  MutationsBySchema,
  TagsAreForced,
  ViewsMayBeRecomputed,
  ClonedArgumentsFuse,
  BackwardTagsDecide,
  DictionariesHaveSizes,
  SymbolsOfCallsAreBound,
  CseByMutationRegion,
  CseSparesOutputStorages,
  CseSparesEmpty,
  WritersHaveSideEffects,
  OutputsAreATuple,
  FlopsOfCudnnAttention,
  Count,  // the number of changes
};

// A release by its minor version: 13 is PyTorch 2.13, whatever the patch.
struct Release {
  int minor;

  bool has(Change change) const;
  std::string version() const;  // "2.13"
  auto operator<=>(const Release&) const = default;
};

// All from the one to the other are known.
inline constexpr Release kOldestRelease{4}, kNewestRelease{15};
std::vector<Release> known_releases();  // oldest first

// The releases from one on, up to before another.
struct ReleaseInterval {
  Release since{0};
  std::optional<Release> until = {};

  constexpr bool has(Release release) const { return release >= since && !(until && release >= *until); }
};

struct ChangeRow {
  Change change;
  ReleaseInterval in;
  std::string_view what;  // what these releases do
  std::string_view why;
};

// All changes, in the order of `Change`: the newest first.
std::span<const ChangeRow> changes();

// The release to decide as, and the source of the choice.
struct ReleaseChoice {
  enum class Source { Setting, Producer, Nearest, Newest };

  Release release = kNewestRelease;
  Source source = Source::Newest;
  // The producer's release ("2.16") if it is an unknown PyTorch, for which a neighbour is used.
  std::string unknown_release;
};

// Its name in JSON: "setting", "producer", "nearest" (to an unknown producer), "newest".
std::string_view name_of(ReleaseChoice::Source source);

// The value of the setting torch_version for the release of the graph's producer.
inline constexpr std::string_view kAsProducer = "producer";

// `torch_version` is kAsProducer or a version such as "2.13" or "2.13.0" of a known release. With kAsProducer the
// release is that of a producer such as "torch 2.13.0+cpu"; for an unknown PyTorch the newest known one that is not newer, or
// otherwise the oldest; for any other producer the newest. A patch release decides as the others of its minor version.
ReleaseChoice choose_release(std::string_view torch_version, std::string_view producer);

// Whether it is a valid value of torch_version.
bool is_known_torch_version(std::string_view torch_version);

}  // namespace fxcut
