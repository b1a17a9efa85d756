/**
 * Decides whether a request is allowed: by the caller's token, and by the browser's headers about web pages.
 *
 * <p>Called on the event loops, before the body of a request is read; thread-safe.
 */
package io.mykit.delay.controller.guard;
