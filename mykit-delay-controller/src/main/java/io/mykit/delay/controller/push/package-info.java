/**
 * The calls that push one message or many. The event loop parses a single push, and an {@code http-worker} thread parses a
 * batch. Threads of the intake complete both.
 */
package io.mykit.delay.controller.push;
