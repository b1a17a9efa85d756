/**
 * The process: main class, wiring, the way it starts and stops. {@link io.mykit.delay.core.Wiring} is the only place that
 * puts the rooms together; nothing imports this package.
 */
package io.mykit.delay.core;
