/** Faults, the seeded schedule of them, and who carries it out. Knows the rig, which it breaks, and the history. */
package io.mykit.delay.test.fault.injection;
