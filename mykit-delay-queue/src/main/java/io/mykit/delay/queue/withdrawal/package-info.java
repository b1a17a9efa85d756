/**
 * The protocol between the database and the index, for all callers that end or replace messages. A caller takes the
 * message out of the index, changes its row, and puts the message back if the row did not change. {@link
 * io.mykit.delay.queue.withdrawal.Withdrawals} begins a {@link io.mykit.delay.queue.withdrawal.Withdrawal}; the
 * packages {@code cancel}, {@code intake}, {@code schedule} and {@code recovery} use it.
 *
 * <p>A crash between the two steps leaves a row that the index does not know. The auditor schedules it once it is
 * overdue, after its veto has ended.
 *
 * <p>Any thread may call it.
 */
package io.mykit.delay.queue.withdrawal;
