/**
 * Answers: the envelope that each of them has, written with fastjson2, which no other package sees, and the HTTP status
 * of each failure.
 *
 * <p>Stateless; any thread.
 */
package io.mykit.delay.controller.reply;
