// Any bytes as a file that the model library meets: a header, or its own cache. Reading must
// return, and say why where it can say nothing else.

#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/library/header_cache.h"
#include "engine/library/model_entry.h"

using namespace vitrine::engine;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    require(fd >= 0 && ::ftruncate(fd, 0) == 0);
    require(::pwrite(fd, data, size, 0) == static_cast<ssize_t>(size));
    ModelCandidate candidate;
    candidate.path = "/proc/self/fd/" + std::to_string(fd);
    const ModelEntry entry = summarizeModel(candidate);
    require(entry.isSupported == (entry.kind == ModelKind::Model && entry.problem.empty()));
    require(entry.problem.empty() || (entry.problem.size() < 500 && entry.problem.back() == '.'));
    if (size > 0 && data[0] == '{') {
        HeaderCache cache;
        cache.read(candidate.path);
        cache.find("/a", {});
    }
    return 0;
}
