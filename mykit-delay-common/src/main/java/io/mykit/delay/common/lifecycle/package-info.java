/** Start, run and stop of the server's parts: {@link io.mykit.delay.common.lifecycle.Service} and the run loop. */
package io.mykit.delay.common.lifecycle;
