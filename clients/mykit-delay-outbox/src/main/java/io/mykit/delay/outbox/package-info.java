/**
 * A transactional outbox. {@link io.mykit.delay.outbox.DelayOutbox} writes calls as rows, in the transaction of the
 * application's own rows; {@link io.mykit.delay.outbox.OutboxRelay} makes the calls and deletes the rows.
 *
 * <p>It needs JDBC and the client. Rows are written on threads of the application. A relay has one thread; it is the only one
 * that calls an {@link io.mykit.delay.outbox.OutboxListener}.
 */
package io.mykit.delay.outbox;
