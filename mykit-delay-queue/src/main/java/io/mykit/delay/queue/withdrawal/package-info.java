/**
 * The protocol of the two stores, for all callers that end or replace messages: take the message out of the index, change its
 * row, and put the message back if the row did not change. {@link io.mykit.delay.queue.withdrawal.Withdrawals} begins a
 * {@link io.mykit.delay.queue.withdrawal.Withdrawal}; {@code cancel}, {@code intake}, {@code schedule} and {@code recovery} use it.
 *
 * <p>A crash between the two leaves a row that the index does not know. The auditor schedules it once it is overdue, after the
 * veto against it has ended.
 *
 * <p>Any thread comes in.
 */
package io.mykit.delay.queue.withdrawal;
