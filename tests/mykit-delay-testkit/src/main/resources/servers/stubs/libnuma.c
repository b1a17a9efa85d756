/*
 * Stand-in for libnuma.so.1, so that mysqld can be linked on a machine without it. numa_available() answers "no NUMA
 * here"; mysqld asks for nothing more then, as --innodb-numa-interleave is off by default.
 */
int numa_available(void) { return -1; }
void numa_free(void *memory, unsigned long size) {}
void *numa_alloc_local(unsigned long size) { return 0; }
long set_mempolicy(int mode, const unsigned long *nodes, unsigned long max) { return -1; }
long mbind(void *start, unsigned long length, int mode, const unsigned long *nodes, unsigned long max, unsigned flags) {
    return -1;
}
void *numa_get_mems_allowed(void) { return 0; }
void numa_bitmask_free(void *mask) {}
