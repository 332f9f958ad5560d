// Descriptions of values.
#include "read/read_value.h"

#include <gtest/gtest.h>

#include "unit/without_excerpts.h"

namespace fxcut {
namespace {

// A value, and the messages about it.
struct ReadValue {
  Value value;
  std::string mistakes;
};

std::string raised(const Mistakes& mistakes) {
  try {
    mistakes.raise();
    return "";
  } catch (const Failure& failure) {
    return without_excerpts(failure);
  }
}

ReadValue read_value_of(std::string_view text) {
  const auto document = Document::parse(std::string(text), "v.json");
  Mistakes mistakes;
  const Value value = *ValueReader(mistakes).read_val(document->root(), "n");
  return {value, raised(mistakes)};
}

TEST(ReadValue, TensorsKeepAllThatIsGiven) {
  const ReadValue result =
      read_value_of(R"({"kind": "tensor", "dtype": "bfloat16", "shape": [2, 3], "stride": [3, 1], "device": "cuda:1",
                              "storage": 7, "requires_grad": true})");
  EXPECT_EQ(result.mistakes, "");
  const Tensor& tensor = result.value.tensor;
  EXPECT_EQ(tensor.dtype->name, "bfloat16");
  EXPECT_EQ(tensor.shape[1].hint, 3);
  EXPECT_EQ(tensor.stride[0].hint, 3);
  EXPECT_EQ(tensor.device, "cuda:1");
  EXPECT_EQ(tensor.storage, 7);
}

TEST(ReadValue, NullStridesAndStoragesAreNotKnown) {
  const ReadValue result = read_value_of(R"({"kind": "tensor", "dtype": "int8", "shape": [2], "stride": null, "storage": null})");
  EXPECT_EQ(result.mistakes, "");
  EXPECT_TRUE(result.value.tensor.stride.empty());
  EXPECT_EQ(result.value.tensor.storage, std::nullopt);
}

TEST(ReadValue, SymbolicSizes) {
  const ReadValue result = read_value_of(R"({"kind": "tensor", "dtype": "int8", "shape": [
    {"expr": "2*s0", "hint": 8, "symbols": ["s0"]},
    {"expr": "u0", "hint": null, "symbols": ["u0"]}, {"expr": "u1"}]})");
  EXPECT_EQ(result.mistakes, "");
  const auto& shape = result.value.tensor.shape;
  EXPECT_EQ(shape[0].hint, 8);
  EXPECT_EQ(shape[0].expression->text, "2*s0");
  EXPECT_EQ(shape[0].expression->symbols, std::vector<std::string>({"s0"}));
  EXPECT_EQ(shape[1].hint, kUnhintedSize);
  EXPECT_EQ(shape[2].hint, kUnhintedSize);
}

TEST(ReadValue, SymbolicNumbers) {
  const ReadValue result = read_value_of(R"({"kind": "symint", "expr": "s0", "hint": 5, "symbols": ["s0"]})");
  EXPECT_EQ(result.value.kind, Value::Kind::SymInt);
  EXPECT_EQ(result.value.hint, 5);
  EXPECT_TRUE(result.value.is_symbolic());
  EXPECT_EQ(read_value_of(R"({"kind": "symfloat", "expr": "zf0", "hint": 0.5})").value.hint, std::nullopt);
  EXPECT_EQ(read_value_of(R"({"kind": "symbool", "expr": "s0 > 3", "hint": true})").value.kind, Value::Kind::SymBool);
}

TEST(ReadValue, SymbolsThatWereReplaced) {
  const ReadValue number = read_value_of(R"({"kind": "symint", "expr": "s0", "symbols": ["s0"],
                               "unreplaced": {"expr": "s1", "symbols": ["s1"]}})");
  EXPECT_EQ(number.mistakes, "");
  EXPECT_TRUE(number.value.unreplaced->is_symbol());
  const ReadValue tensor =
      read_value_of(R"({"kind": "tensor", "dtype": "int8", "shape": [2], "unreplaced": {"symbols": ["s1", "s2"]}})");
  EXPECT_EQ(tensor.value.unreplaced->symbols, std::vector<std::string>({"s1", "s2"}));
  EXPECT_EQ(read_value_of(R"({"kind": "none"})").value.unreplaced, nullptr);
  EXPECT_NE(read_value_of(R"({"kind": "none", "unreplaced": ["s1"]})").mistakes, "");
}

TEST(ReadValue, TuplesAndDictionaries) {
  const ReadValue tuple = read_value_of(R"({"kind": "tuple", "items": [{"kind": "none"}, {"kind": "tuple", "items": []}]})");
  EXPECT_EQ(tuple.value.items.size(), 2u);
  EXPECT_EQ(tuple.value.items[1].kind, Value::Kind::Tuple);
  const ReadValue dict = read_value_of(R"({"kind": "dict", "items": {"a": {"kind": "tensor", "dtype": "bool", "shape": []}}})");
  EXPECT_EQ(dict.mistakes, "");
  EXPECT_TRUE(dict.value.items.at(0).is_tensor());
}

TEST(ReadValue, OtherKinds) {
  EXPECT_EQ(read_value_of(R"({"kind": "none"})").value.kind, Value::Kind::None);
  EXPECT_EQ(read_value_of(R"({"kind": "scalar", "value": 3})").value.kind, Value::Kind::Scalar);
  EXPECT_EQ(read_value_of(R"({"kind": "backward_state"})").value.kind, Value::Kind::BackwardState);
  EXPECT_EQ(read_value_of(R"({"kind": "opaque", "type": "Foo"})").value.kind, Value::Kind::Opaque);
  EXPECT_EQ(read_value_of(R"({"kind": "other", "type": "list"})").value.kind, Value::Kind::Other);
  EXPECT_EQ(read_value_of(R"({"kind": "other", "type": "DeviceMesh"})").value.kind, Value::Kind::Opaque)
      << "registered as opaque";
}

TEST(ReadValue, MistakesNameTheirPlaceAndTheNode) {
  EXPECT_EQ(read_value_of(R"({"kind": "tensr"})").mistakes,
            "fxcut: v.json:1:10: /kind (node 'n'): error: unknown kind of value 'tensr'\n  did you mean 'tensor'?");
  EXPECT_EQ(read_value_of(R"({"kind": "tensor", "dtype": "float23", "shape": []})").mistakes,
            "fxcut: v.json:1:29: /dtype (node 'n'): error: unknown dtype 'float23'\n  did you mean 'float32'?");
  EXPECT_EQ(read_value_of(R"({"kind": "tensor", "dtype": "int8", "shape": [2, -3]})").mistakes,
            "fxcut: v.json:1:50: /shape/1 (node 'n'): error: expected a size of 0 or more, found -3");
  EXPECT_EQ(read_value_of(R"({"kind": "tensor", "dtype": "int8", "shape": [2], "stride": [1, 1]})").mistakes,
            "fxcut: v.json:1:1: top level (node 'n'): error: 'stride' has 2 entries, 'shape' has 1");
}

TEST(ReadValue, IllFormedDescriptionsAreRefused) {
  const auto says = [](std::string_view text, std::string_view what) {
    const std::string mistakes = read_value_of(text).mistakes;
    EXPECT_NE(mistakes.find(what), std::string::npos) << text << " gave: " << mistakes;
  };
  says("[]", "expected an object, found an array");
  says("{}", "missing 'kind'");
  says(R"({"kind": 3})", "missing 'kind'");
  says(R"({"kind": "tensor", "shape": []})", "missing 'dtype' or 'shape' of a tensor");
  says(R"({"kind": "tensor", "dtype": "int8"})", "missing 'dtype' or 'shape' of a tensor");
  says(R"({"kind": "tensor", "dtype": 3, "shape": []})", "expected a string, found an integer");
  says(R"({"kind": "tensor", "dtype": "int8", "shape": 3})", "expected an array, found an integer");
  says(R"({"kind": "tensor", "dtype": "int8", "shape": [1.5]})", "expected a size, an integer or");
  says(R"({"kind": "tensor", "dtype": "int8", "shape": [99999999999999999999]})", "sizes are 64-bit integers");
  says(R"({"kind": "tensor", "dtype": "int8", "shape": [{"hint": 3}]})", "missing 'expr' of a symbolic size");
  says(R"({"kind": "tensor", "dtype": "int8", "shape": [{"expr": "s0", "hint": -3}]})", "expected a size of 0 or more, found -3");
  says(R"({"kind": "tuple"})", "missing 'items' of a tuple");
  says(R"({"kind": "dict", "items": []})", "expected an object, found an array");
}

TEST(ReadValue, ByteCountsBeyond63BitsAreRefused) {
  const auto tensor = [](std::string_view shape, std::string_view stride) {
    return read_value_of(R"({"kind": "tensor", "dtype": "int8", "shape": )" + std::string(shape) + R"(, "stride": )" +
                std::string(stride) + "}")
        .mistakes;
  };
  EXPECT_EQ(tensor("[4611686018427387904]", "null"), "");
  EXPECT_NE(tensor("[4294967296, 4294967296]", "null").find("the tensor takes more than 2^63 - 1 bytes"),
            std::string::npos);
  EXPECT_NE(tensor("[2, 2]", "[9223372036854775807, 1]").find("more than 2^63 - 1 bytes"), std::string::npos);
  EXPECT_EQ(tensor("[4294967296, 4294967296, 0]", "null"), "") << "an empty tensor has no bytes";
}

TEST(ReadValue, ByteCountsOfAllValuesTogetherAreBounded) {
  const auto document =
      Document::parse(R"({"kind": "tensor", "dtype": "int8", "shape": [4611686018427387904]})", "v.json");
  Mistakes mistakes;
  ValueReader reader(mistakes);
  reader.read_val(document->root(), "a");
  EXPECT_TRUE(mistakes.empty());
  reader.read_val(document->root(), "b");
  reader.read_val(document->root(), "c");
  EXPECT_NE(raised(mistakes).find("take more than 2^63 - 1 bytes"), std::string::npos) << raised(mistakes);
}

}  // namespace
}  // namespace fxcut
