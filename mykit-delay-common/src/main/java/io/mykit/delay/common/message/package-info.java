/**
 * What a message is, which states it can be in and which moves between them are legal.
 *
 * <p>Pure values: no I/O, no clock, no threads. Every other room speaks in these words.
 */
package io.mykit.delay.common.message;
