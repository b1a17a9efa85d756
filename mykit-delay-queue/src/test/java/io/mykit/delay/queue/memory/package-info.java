/**
 * In-memory stores for tests: {@link io.mykit.delay.queue.memory.MemoryMessageStore} passes the contract suites of the
 * databases, and answers in microseconds. Tests beside the code use it where the behaviour of a database is not what is tested.
 * The test-jar of this module brings the package to other modules.
 */
package io.mykit.delay.queue.memory;
