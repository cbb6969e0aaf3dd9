#include "engine/base/error.h"

namespace vitrine::engine {

const char* errcName(Errc code) noexcept {
    switch (code) {
        case Errc::Io: return "io";
        case Errc::Format: return "format";
        case Errc::Unsupported: return "unsupported";
        case Errc::OutOfMemory: return "out_of_memory";
        case Errc::Device: return "device";
        case Errc::Cancelled: return "cancelled";
        case Errc::InvalidArgument: return "invalid_argument";
        case Errc::ContextFull: return "context_full";
    }
    return "error";
}

Error Error::within(const std::string& outer) && {
    context = context.empty() ? outer : outer + ": " + context;
    return std::move(*this);
}

}  // namespace vitrine::engine
