#include <systemd/sd-daemon.h>
/* Not in Swift's Glibc module: */
#include <sys/random.h>
#include <sys/vfs.h>
