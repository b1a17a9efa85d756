/**
 * Finds the listeners of the application, and runs consumers for those that pull. The annotation, the task worker and the
 * callback end in the same {@link io.mykit.delay.spring.listener.Endpoint}.
 *
 * <p>Listeners run on the threads of their consumers, or on those of the web server.
 */
package io.mykit.delay.spring.listener;
