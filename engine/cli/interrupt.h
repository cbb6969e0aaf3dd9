#pragma once
// Ctrl-C as a flag that the engine's ops read, and as a count for the terminal chat. Thread: the
// handler writes; any thread reads.

#include <atomic>

namespace vitrine::engine::cli {

/// Installs the handler for SIGINT and SIGTERM; system calls that wait are interrupted. Called
/// once.
void installInterruptHandler();

/// True since the last Ctrl-C, until its reader sets it to false. The engine takes it as its cancel
/// flag.
std::atomic<bool>& interruptFlag() noexcept;

/// Ctrl-C presses since forgetInterrupts(). Who sees the flag sees its press counted.
int interruptCount() noexcept;

/// Counts from zero again; the flag stays as it is.
void forgetInterrupts() noexcept;

}  // namespace vitrine::engine::cli
