/**
 * The clock of the cluster. {@link io.mykit.delay.common.time.ClusterClock} is the only reader of the wall clock in the
 * whole project; all other classes get an {@link java.time.InstantSource}.
 */
package io.mykit.delay.common.time;
