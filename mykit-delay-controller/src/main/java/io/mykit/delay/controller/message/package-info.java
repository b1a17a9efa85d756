/** The calls about one message of an earlier push. They block on {@code http-worker} threads. */
package io.mykit.delay.controller.message;
