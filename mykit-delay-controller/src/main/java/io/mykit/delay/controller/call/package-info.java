/**
 * A call as its handler sees it: parameters, body, caller and client. It also has the threads for handlers that block.
 *
 * <p>A handler is called on the event loop of its request. It knows nothing of sockets, tokens and paths.
 */
package io.mykit.delay.controller.call;
