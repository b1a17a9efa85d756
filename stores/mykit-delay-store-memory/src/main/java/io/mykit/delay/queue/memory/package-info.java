/**
 * Stores in memory: {@link io.mykit.delay.queue.memory.MemoryMessageStore} passes the contract suites of the databases, {@link
 * io.mykit.delay.queue.memory.MemoryMessageIndex} those of Redis, and both answer in microseconds. Tests beside the code use them if
 * they do not test the behaviour of a server. A program of one process may use the index: what it loses is built anew from the table. The
 * table would lose messages.
 */
package io.mykit.delay.queue.memory;
