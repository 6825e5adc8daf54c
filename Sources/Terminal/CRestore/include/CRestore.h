// Code that must be async-signal-safe (POSIX.1-2017, 2.4.3) and so cannot be written in Swift.
#ifndef CRESTORE_H
#define CRESTORE_H

#include <stdbool.h>
#include <stddef.h>

// The maximum size in bytes of a leaving sequence.
#define CRESTORE_CAPACITY 512

// From now on, a crash signal (SEGV BUS ILL TRAP ABRT FPE QUIT) writes `bytes` to the terminal `descriptor` and
// restores its current settings, before the signal is handled as before. Call this before the terminal is changed.
// Returns false if `count` exceeds the capacity, or `descriptor` is not a terminal.
bool crestore_arm(int descriptor, const unsigned char *bytes, size_t count);

// Replaces the leaving sequence while armed. Only one thread may call it.
bool crestore_replace(const unsigned char *bytes, size_t count);

// False before `crestore_arm`, and once the terminal is being restored.
bool crestore_is_armed(void);

// Returns true to exactly one caller, which has to restore the terminal; later crashes leave it unchanged.
bool crestore_take(void);

// Unblocks crash signals in the calling thread, and gives it an alternate signal stack unless it has one. The stack
// is never freed.
void crestore_prepare_thread(void);

// A signal handler that writes the signal's number as one byte to the descriptor set with crestore_note_signals_to.
void crestore_note_signal(int signal);
void crestore_note_signals_to(int descriptor);

#endif
