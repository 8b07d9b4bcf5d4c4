# make          the service, optimised, as .build/release/ipx-car
# make demo     a drive on this machine: no car, no ipx server, no Bluetooth needed; DRIVE=OPTIONS, see DRIVE=--help
# make test     all tests
# make check    what a change must pass besides the tests
# make trixie-check bookworm-check    build, tests and demo in a bare Debian 13 or 12: a quarter of an hour, with sudo
# make rig-short    a drive on the real BlueZ with a virtual car, in a virtual machine: five minutes, as root
SHELL = /bin/sh
PREFIX = /usr
DESTDIR =
DRIVE =
SWIFT = swift
# The rig's guest: bookworm; pipewire and trixie are not tried yet.
PROFILE = bookworm
# Seconds; a test that hangs must not hang the day.
TEST_LIMIT = 1500

bin = $(DESTDIR)$(PREFIX)/bin
lib = $(DESTDIR)$(PREFIX)/lib
share = $(DESTDIR)$(PREFIX)/share

.PHONY: build demo test check coverage asan tsan rig-short bench fmt docs install uninstall clean bootstrap trixie-check bookworm-check
.DEFAULT_GOAL = build

bootstrap:
	@scripts/bootstrap

build: bootstrap
	$(SWIFT) build -c release --static-swift-stdlib --product ipx-car

demo: bootstrap
	@$(SWIFT) build --quiet --product ipx-car
	@$(SWIFT) build --quiet --product ipx-car-demo
	@.build/debug/ipx-car-demo $(DRIVE)

test: bootstrap
	$(SWIFT) build --build-tests
	timeout -k 10 $(TEST_LIMIT) scripts/test

check: bootstrap
	$(SWIFT) format lint -s -r Package.swift Sources Tests
	scripts/check-layers
	scripts/check-faults
	scripts/check-shell
	scripts/check-units
	scripts/check-build

trixie-check bookworm-check:
	scripts/root-check $(@:-check=)

# Line coverage of the player core, the merge and the decoding.
coverage: bootstrap
	scripts/coverage

# All tests under the address sanitizer, and the service in a drive under the thread sanitizer. Long; not for every change.
asan: bootstrap
	scripts/asan

tsan: bootstrap
	scripts/tsan

rig-short: build
	@scripts/bootstrap --rig
	$(SWIFT) build -c release --static-swift-stdlib --product ipx-car-demo
	Tests/Rig/run short $(PROFILE)

bench: build
	@scripts/bootstrap --with mpv mpv-mpris
	$(SWIFT) build -c release --static-swift-stdlib --product ipx-car-bench
	@mkdir -p bench
	.build/release/ipx-car-bench .build/release/ipx-car bench/report.md

fmt:
	$(SWIFT) format -i -r Package.swift Sources Tests

docs: bootstrap
	scripts/docs

# As root on the machine itself; with DESTDIR into a root of a package.
install:
	@test -x .build/release/ipx-car || { echo "make first, then make install" >&2; exit 1; }
	install -D -s -m 755 .build/release/ipx-car $(bin)/ipx-car
	sed 's|/usr/bin/ipx-car|$(PREFIX)/bin/ipx-car|' systemd/ipx-car.service | \
	    install -D -m 644 /dev/stdin $(lib)/systemd/system/ipx-car.service
	sed 's|/usr/share/ipx-car|$(PREFIX)/share/ipx-car|' systemd/ipx-car-sound.service | \
	    install -D -m 644 /dev/stdin $(lib)/systemd/system/ipx-car-sound.service
	install -D -m 644 systemd/sound.pa $(share)/ipx-car/sound.pa
	install -D -m 644 systemd/ipx-car.sysusers $(lib)/sysusers.d/ipx-car.conf
	install -D -m 644 systemd/net.sdf1.ipxcar.conf $(share)/dbus-1/system.d/net.sdf1.ipxcar.conf
	install -D -m 644 udev/72-ipx-car.rules $(lib)/udev/rules.d/72-ipx-car.rules
	install -D -m 644 docs/ipx-car.conf $(share)/doc/ipx-car/examples/ipx-car.conf
	install -D -m 644 docs/man/ipx-car.1 $(share)/man/man1/ipx-car.1
	install -D -m 644 docs/man/ipx-car.conf.5 $(share)/man/man5/ipx-car.conf.5
	@test -n "$(DESTDIR)" || scripts/after-install

# The state folder (what was heard) and the configuration stay.
uninstall:
	@test -n "$(DESTDIR)" || ! test -d /run/systemd/system || systemctl disable --now ipx-car.service ipx-car-sound.service || true
	rm -f $(bin)/ipx-car $(lib)/systemd/system/ipx-car.service $(lib)/systemd/system/ipx-car-sound.service \
	    $(lib)/sysusers.d/ipx-car.conf \
	    $(share)/dbus-1/system.d/net.sdf1.ipxcar.conf $(lib)/udev/rules.d/72-ipx-car.rules \
	    $(share)/man/man1/ipx-car.1 $(share)/man/man5/ipx-car.conf.5
	rm -rf $(share)/doc/ipx-car $(share)/ipx-car
	@test -n "$(DESTDIR)" || scripts/after-install

clean:
	rm -rf .build .build-check
