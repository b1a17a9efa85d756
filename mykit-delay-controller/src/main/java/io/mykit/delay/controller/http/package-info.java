/**
 * The listener: sockets, event loops, connections, and the limits of bodies and answers. It passes each request to the
 * handler of its route and depends on no handler.
 *
 * <p>Threads: one or two event loops of Vert.x carry all requests and never block.
 */
package io.mykit.delay.controller.http;
