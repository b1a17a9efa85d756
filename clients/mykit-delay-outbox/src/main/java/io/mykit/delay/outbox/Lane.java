package io.mykit.delay.outbox;

/**
 * What the order of a row depends on.
 *
 * @param messageId null = a call for a business key
 * @param key null = none; only pushes and calls for a key have one
 */
record Lane(long rowId, Operation operation, String messageId, Key key) {}
