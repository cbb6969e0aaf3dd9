#pragma once
// Metadata values of a GGUF header. Thread: pure functions, any thread.

#include <cstdint>

#include "engine/io/header_cursor.h"
#include "engine/io/model_file.h"

namespace vitrine::engine {

/// Value types of the specification. Source: ggml docs/gguf.md, gguf_metadata_value_type.
enum class GgufType : uint32_t {
    Uint8 = 0,
    Int8 = 1,
    Uint16 = 2,
    Int16 = 3,
    Uint32 = 4,
    Int32 = 5,
    Float32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    Uint64 = 10,
    Int64 = 11,
    Float64 = 12,
};

/// Reads a value of the given type id at the cursor. False = failure noted in the cursor: unknown
/// type, nested array, a bool that is neither 0 nor 1, an array longer than 16 Mi elements or than
/// the rest of the file, a text longer than 64 MiB.
bool readGgufValue(HeaderCursor& in, uint32_t typeId, MetaValue& value);

}  // namespace vitrine::engine
