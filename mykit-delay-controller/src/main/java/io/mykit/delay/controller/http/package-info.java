/**
 * The listener: sockets, event loops, connections, and bodies and answers within their bounds. It brings each request to
 * the handler of its route, and knows no handler itself.
 *
 * <p>Threads: one or two event loops of Vert.x carry all requests and never block.
 */
package io.mykit.delay.controller.http;
