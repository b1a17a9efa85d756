/*
 * Stand-in for libaio.so.1, so that mysqld can be linked on a machine without it. Every call answers -ENOSYS; mysqld is
 * started with --innodb-use-native-aio=0 and never makes one.
 */
#define ENOSYS 38

int io_setup(int depth, void *context) { return -ENOSYS; }
int io_getevents(void *context, long min, long max, void *events, void *timeout) { return -ENOSYS; }
int io_submit(void *context, long count, void *requests) { return -ENOSYS; }
