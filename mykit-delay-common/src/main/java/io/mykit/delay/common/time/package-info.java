/**
 * The one clock. {@link io.mykit.delay.common.time.ClusterClock} is the only reader of the wall clock in the whole
 * project; everybody else is handed an {@link java.time.InstantSource}.
 */
package io.mykit.delay.common.time;
