/**
 * Answers: the envelope of each answer, and the HTTP status of each failure. The envelope is written with fastjson2, which
 * no other package uses.
 *
 * <p>Stateless; any thread.
 */
package io.mykit.delay.controller.reply;
