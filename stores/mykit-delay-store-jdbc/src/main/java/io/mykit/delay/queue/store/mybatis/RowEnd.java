package io.mykit.delay.queue.store.mybatis;

/**
 * An ordinary end of a message, which its row tells of: DELAY to READY to FINISH, or READY to FINISH, without a detail. Times
 * are epoch milliseconds.
 *
 * @param takenMs when it became READY; 0 = the row does not tell of it
 * @param endedMs when it became FINISH
 * @param author see {@link Authors}
 */
record RowEnd(long takenMs, long endedMs, int author) {}
