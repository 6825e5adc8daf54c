// What must be async-signal-safe (POSIX.1-2017, 2.4.3) and so cannot be Swift.
#ifndef CRESTORE_H
#define CRESTORE_H

#include <stdbool.h>
#include <stddef.h>

// Bytes of a leaving sequence that are kept; a longer one is refused.
#define CRESTORE_CAPACITY 512

// From now on a crash signal (SEGV BUS ILL TRAP ABRT FPE QUIT) writes `bytes` to the terminal `descriptor` and gives
// it the settings it has now, before the signal takes its course. Call it before the terminal is changed.
// False when `count` exceeds the capacity, or `descriptor` is no terminal.
bool crestore_arm(int descriptor, const unsigned char *bytes, size_t count);

// Replaces the leaving sequence while armed. Only one thread may call it.
bool crestore_replace(const unsigned char *bytes, size_t count);

// False before `crestore_arm`, and once somebody restores the terminal.
bool crestore_is_armed(void);

// True for the one caller who has to restore the terminal; crashes leave it alone from then on.
bool crestore_take(void);

// Lets the calling thread take crash signals, on a stack of their own unless it has one, which is never freed.
void crestore_prepare_thread(void);

// A signal handler that writes the signal's number as one byte to the descriptor named last.
void crestore_note_signal(int signal);
void crestore_note_signals_to(int descriptor);

#endif
