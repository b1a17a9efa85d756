/** Duties that remember their calls, and a node that can be killed and frozen, for the tests of leadership. */
package io.mykit.delay.test.leader;
