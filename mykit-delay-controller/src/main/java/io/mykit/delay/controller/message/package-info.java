/**
 * The calls about one message that was pushed before. They block on {@code http-worker} threads.
 */
package io.mykit.delay.controller.message;
