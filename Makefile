# Builds, installs and packages riffle:
#
#   make install PREFIX=~/.local
#   make uninstall PREFIX=~/.local
#   make test
#   make release VERSION=0.1.0
#
# To install for all users, build first, so that root does not build: make && sudo make install

SWIFT ?= swift
PREFIX ?= /usr/local
PROGRAM = .build/release/riffle

# A shell expands `~` in `PREFIX=~/.local` only in some cases.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
BIN = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share
DOC = $(SHARE)/doc/riffle
BASH = $(SHARE)/bash-completion/completions/riffle
ZSH = $(SHARE)/zsh/site-functions/_riffle
FISH = $(SHARE)/fish/vendor_completions.d/riffle.fish

# The version and its date have one place.
constant = $(shell sed -n 's/.* let $(1) = "\(.*\)"/\1/p' Sources/App/System/Program.swift)
NUMBER := $(call constant,number)
DATE := $(call constant,date)

# Where a release is made, the name of its archive and folder, and its licenses.
OUT = .build/package
NAME = riffle-$(NUMBER)-linux-$(shell uname -m)
LICENSES = $(abspath $(OUT))/$(NAME)/share/doc/riffle/licenses

.PHONY: all install uninstall test release

all: $(PROGRAM)

$(PROGRAM): Package.swift $(shell find Sources -type f)
	$(SWIFT) build -c release --static-swift-stdlib --product riffle
	@touch $@

install: $(PROGRAM)
	install -s -D $(PROGRAM) $(BIN)/riffle
	for section in 1 5 7; do install -D -m 644 -t $(SHARE)/man/man$$section man/*.$$section || exit; done
	mkdir -p $(dir $(BASH)) $(dir $(ZSH)) $(dir $(FISH))
	$(PROGRAM) --generate-completion-script bash > $(BASH)
	$(PROGRAM) --generate-completion-script zsh > $(ZSH)
	$(PROGRAM) --generate-completion-script fish > $(FISH)
	install -D -m 644 -t $(DOC) LICENSE CHANGELOG.md config.example.toml

uninstall:
	rm -f $(BIN)/riffle $(BASH) $(ZSH) $(FISH)
	rm -f $(foreach page,$(wildcard man/*.[157]),$(SHARE)/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page)))
	rm -rf $(DOC)

test:
	$(SWIFT) test

# The same sources and the same program give the same archive. It has the licenses of everything in the program: the
# packages that the build has fetched, what they and Foundation contain (docs/licenses), and the Swift runtime.
release: $(PROGRAM)
	@[ "$(VERSION)" = "$(NUMBER)" ] || { \
	  echo 'VERSION is "$(VERSION)", but Sources/App/System/Program.swift says $(NUMBER). Change one of them.' >&2; \
	  exit 1; }
	rm -rf $(OUT)/$(NAME)
	$(MAKE) install -o $(PROGRAM) PROGRAM=$(PROGRAM) DESTDIR=$(abspath $(OUT)) PREFIX=/$(NAME)
	cd .build/checkouts && install -D -m 644 -t $(LICENSES)/swift-nio/llhttp swift-nio/Sources/CNIOLLHTTP/LICENSE \
	  && for file in */LICENSE* */NOTICE*; do install -D -m 644 "$$file" "$(LICENSES)/$$file" || exit; done
	install -D -m 644 -t $(LICENSES) docs/licenses/*.txt
	runtime=$$($(SWIFT) -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p') \
	  && install -D -m 644 -t $(LICENSES)/swift "$$runtime/../../share/swift/LICENSE.txt"
	tar --create --directory $(OUT) --sort=name --format=gnu --mtime='$(DATE) 00:00:00Z' --owner=0 --group=0 \
	  --numeric-owner --mode=u+rw,go=rX $(NAME) | gzip -n -9 > $(OUT)/$(NAME).tar.gz
	cd $(OUT) && sha256sum $(NAME).tar.gz > $(NAME).tar.gz.sha256 && cat $(NAME).tar.gz.sha256
