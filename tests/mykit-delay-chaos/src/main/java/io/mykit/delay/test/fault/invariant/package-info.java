/** The promises, each of which may be broken by a run. Knows the history only, and nothing of how it came about. */
package io.mykit.delay.test.fault.invariant;
