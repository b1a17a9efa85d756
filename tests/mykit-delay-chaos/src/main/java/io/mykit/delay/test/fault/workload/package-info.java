/**
 * Producers as careful ones are, callers who cancel and ask, and a consumer of everything; all of it goes into a ledger.
 * Knows the rig, whose nodes it calls, and the history, which it writes.
 */
package io.mykit.delay.test.fault.workload;
