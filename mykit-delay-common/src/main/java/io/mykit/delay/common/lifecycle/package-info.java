/** How things start, run and stop: {@link io.mykit.delay.common.lifecycle.Service} and the run loop. */
package io.mykit.delay.common.lifecycle;
