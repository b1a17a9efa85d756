/**
 * What a caller sees of the content of messages: bodies may be hidden, cut or masked, by {@code mykit.delay.console}. All calls
 * that read messages for people use it. Stateless; any thread.
 */
package io.mykit.delay.controller.body;
