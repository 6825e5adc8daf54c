#include "CRestore.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int note_descriptor = -1;

void crestore_note_signals_to(int descriptor) { atomic_store(&note_descriptor, descriptor); }

void crestore_note_signal(int signal) {
  int saved_errno = errno;
  unsigned char byte = (unsigned char)signal;
  // If the pipe is full the signal is lost, but the reader is already being woken by others.
  ssize_t ignored = write(atomic_load(&note_descriptor), &byte, 1);
  (void)ignored;
  errno = saved_errno;
}
