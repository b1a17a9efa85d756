/**
 * Reads JSON, strictly, with jackson-core, which no other package sees.
 *
 * <p>Not fastjson2: as a reader it accepts comments, {@code 01}, missing commas and {@code new Date(1)}, and turns an
 * unpaired surrogate into a question mark, so that the producer would be told that something was accepted which it never
 * sent.
 */
package io.mykit.delay.controller.json;
