/**
 * A server is halted at every step of its work, one after the other, and has to repair the state by itself in its next
 * life. The package uses the agent, the servers of the harness, the ledger of the workload, and the invariants.
 */
package io.mykit.delay.test.fault.halt;
