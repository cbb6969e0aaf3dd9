#pragma once
// Base64 (RFC 4648, section 4, with padding): bytes that need not be text, inside JSON. Thread:
// any.

#include <string>
#include <string_view>

namespace vitrine::engine::cli {

/// Never fails.
std::string encodeBase64(std::string_view bytes);

}  // namespace vitrine::engine::cli
