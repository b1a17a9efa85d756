/**
 * The calls of a {@code DelayTemplate} as rows of an outbox, in the transaction of the thread, and the relay of this instance. The
 * only package that knows spring-jdbc. Called on the threads of the application.
 */
package io.mykit.delay.spring.outbox;
