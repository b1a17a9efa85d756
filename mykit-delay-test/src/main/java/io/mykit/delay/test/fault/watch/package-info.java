/** Looks while a run lasts, and at what it leaves: fences, liveness, rows and keys. Knows the rig and the history. */
package io.mykit.delay.test.fault.watch;
