/**
 * In-memory stores for tests: {@link io.mykit.delay.queue.memory.MemoryMessageStore} passes the contract suites of the
 * databases, {@link io.mykit.delay.queue.memory.MemoryMessageIndex} those of Redis, and both answer in microseconds. Tests beside
 * the code use them if they do not test the behaviour of a server. The test-jar of this module brings the package to other
 * modules.
 */
package io.mykit.delay.queue.memory;
