// PyTorch's pass over saved activations: they cross to the backward in 8 bits.
#pragma once

#include <optional>
#include <string>

namespace fxcut {

// The options of inductor's post_grad_fusion_options["activation_quantization_aten_pass"], under the same names and with the
// defaults that the partitioner has for them.
struct ActivationQuantization {
  bool is_on = false;                              // PyTorch: whether the entry is there
  std::string allowed_dtypes = "torch.bfloat16";   // of the values; several are separated by ";"
  std::string quant_type = "torch.float8_e5m2";
  double size_in_mb = 100;                         // the least size, of 2^20 bytes
  // Unset, the forward scales and the backward does not divide: PyTorch's two halves have different defaults.
  std::optional<bool> use_scaling;
  bool exclude_primals = false;                    // values with "primals" in their names
  bool skip_dynamo_guards = false;                 // symbolic sizes are decided by what is known of them, not by their hints
  bool quantize_dynamic_shape = false;             // then: whether sizes of which too little is known count as large
};

}  // namespace fxcut
