/**
 * Reads JSON strictly, with jackson-core, and UTF-8 strictly. No other package uses jackson-core.
 *
 * <p>Not fastjson2: as a reader it accepts comments, {@code 01}, missing commas and {@code new Date(1)}, and turns an
 * unpaired surrogate into a question mark. The server would then accept content that the producer never sent.
 */
package io.mykit.delay.json;
