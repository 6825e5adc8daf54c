// Restores the terminal when the program crashes. Everything the handler needs is prepared in advance; it calls only
// write, poll, tcsetattr, sigaction and raise.
#define _GNU_SOURCE
#include "CRestore.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
enum { crash_signal_count = sizeof crash_signals / sizeof crash_signals[0] };

static struct sigaction previous_actions[crash_signal_count];
static int tty;
static struct termios found_settings;
// Double-buffered, so that a crash during a replacement finds a complete sequence.
static struct {
  unsigned char bytes[CRESTORE_CAPACITY];
  size_t count;
} leaving[2];
static atomic_int current_leaving;
static atomic_bool is_armed;

bool crestore_is_armed(void) { return atomic_load(&is_armed); }

bool crestore_take(void) { return atomic_exchange(&is_armed, false); }

static void write_leaving(void) {
  const unsigned char *bytes = leaving[atomic_load(&current_leaving)].bytes;
  size_t left = leaving[atomic_load(&current_leaving)].count;
  int retries = 10;
  while (left > 0) {
    ssize_t written = write(tty, bytes, left);
    if (written > 0) {
      bytes += written;
      left -= (size_t)written;
    } else if (errno == EAGAIN && retries-- > 0) {
      struct pollfd writable = {.fd = tty, .events = POLLOUT};
      poll(&writable, 1, 10);
    } else if (errno != EINTR) {
      return;
    }
  }
}

static void on_crash(int signal, siginfo_t *info, void *context) {
  int saved_errno = errno;
  if (crestore_take()) {
    write_leaving();
    tcsetattr(tty, TCSANOW, &found_settings);
  }
  errno = saved_errno;
  int index = 0;
  while (crash_signals[index] != signal) index++;
  const struct sigaction *previous = &previous_actions[index];
  if (previous->sa_flags & SA_SIGINFO) {
    previous->sa_sigaction(signal, info, context);
  } else if (previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN) {
    previous->sa_handler(signal);
  } else {
    // The signal is blocked until this handler returns; then it ends the process at the interrupted instruction.
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    raise(signal);
  }
}

static void catch_crashes(void) {
  static bool is_done;
  if (is_done) return;
  is_done = true;
  struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < crash_signal_count; index++) {
    sigaction(crash_signals[index], NULL, &previous_actions[index]);
    bool is_ignored = !(previous_actions[index].sa_flags & SA_SIGINFO) &&
                      previous_actions[index].sa_handler == SIG_IGN;
    if (crash_signals[index] == SIGQUIT && is_ignored) continue;
    sigaction(crash_signals[index], &action, NULL);
  }
}

bool crestore_replace(const unsigned char *bytes, size_t count) {
  if (count > CRESTORE_CAPACITY) return false;
  int next = 1 - atomic_load(&current_leaving);
  memcpy(leaving[next].bytes, bytes, count);
  leaving[next].count = count;
  atomic_store(&current_leaving, next);
  return true;
}

bool crestore_arm(int descriptor, const unsigned char *bytes, size_t count) {
  if (tcgetattr(descriptor, &found_settings) != 0 || !crestore_replace(bytes, count)) return false;
  tty = descriptor;
  catch_crashes();
  atomic_store(&is_armed, true);
  return true;
}

void crestore_prepare_thread(void) {
  sigset_t crashes;
  sigemptyset(&crashes);
  for (int index = 0; index < crash_signal_count; index++) sigaddset(&crashes, crash_signals[index]);
  pthread_sigmask(SIG_UNBLOCK, &crashes, NULL);
  stack_t present;
  if (sigaltstack(NULL, &present) != 0 || !(present.ss_flags & SS_DISABLE)) return;
  stack_t stack = {.ss_size = 64 * 1024};
  stack.ss_sp = malloc(stack.ss_size);
  if (stack.ss_sp) sigaltstack(&stack, NULL);
}
