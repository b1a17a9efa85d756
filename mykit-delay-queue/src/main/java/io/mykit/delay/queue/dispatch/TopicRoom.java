package io.mykit.delay.queue.dispatch;

/**
 * How many more messages of a topic may be delivered now. A message reserves its place before it is taken from the index, so
 * that messages without a place wait in their ready list and not under a lease. {@link TopicTraffic} guards it; for one thread
 * at a time.
 */
interface TopicRoom {
    /** Whether the topic has limits of its own, so that the room must know what is sent. */
    boolean isLimited();

    /** Returns how many places may be reserved now. */
    int free();

    /** Reserves free places for messages that are about to be taken. */
    void reserve(int messages);

    /** Gives back reserved places of messages that are not sent. */
    void cancel(int messages);

    /** Messages with reserved places go to the channel. */
    void sent(int messages);

    /** The channel has answered for messages that were sent. */
    void answered(int messages);

    /** Messages came back because their receivers were full. */
    default void full(int messages) {}

    /** How long it takes until a place is free, if no answer comes before; -1 = only an answer makes a place free. */
    long nanosUntilFree();

    /** How long it takes, if no place is used any more, until a new room would be as large as this one; 0 = it is now. */
    long nanosUntilWhole();
}
