/**
 * Decides whether a request may go on: the caller by its token, and web pages by what their browser says.
 *
 * <p>Called on the event loops, before the body of a request is read; thread-safe.
 */
package io.mykit.delay.controller.guard;
