/**
 * Reading JSON strictly: what RFC 8259 does not allow is refused with its position, and the source text of a value can
 * be kept as it came. Knows nothing of messages or HTTP; no threads of its own.
 *
 * <p>fastjson2 writes the answers but does not read the requests: it accepts comments, {@code 01}, missing commas and
 * {@code new Date(1)}, and turns an unpaired surrogate into a question mark, so that the producer would be told that
 * something was accepted which it never sent.
 */
package io.mykit.delay.controller.json;
