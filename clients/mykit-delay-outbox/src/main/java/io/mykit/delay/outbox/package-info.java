/**
 * A transactional outbox. {@link io.mykit.delay.outbox.DelayOutbox} writes calls as rows, in the transaction of the
 * application's own rows; {@link io.mykit.delay.outbox.OutboxRelay} makes the calls and deletes the rows.
 *
 * <p>It needs JDBC and the client. Rows are written on threads of the application. A relay has two threads; only they call an
 * {@link io.mykit.delay.outbox.OutboxListener}, one at a time.
 */
package io.mykit.delay.outbox;
