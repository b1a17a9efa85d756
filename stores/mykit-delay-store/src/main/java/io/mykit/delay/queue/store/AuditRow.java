package io.mykit.delay.queue.store;

/**
 * A call of an operator or an administrator, or a failed login.
 *
 * @param id its text sorts by time; see {@link AuditStore}
 * @param actor the name of the caller; empty = not known
 * @param address of the client
 * @param action the name of the call
 * @param object what it acts on: a topic, the id of a message or a token, or a namespace; empty = everything, or said in
 *     {@code detail}
 * @param detail the parameters
 * @param outcome {@link #BEGUN}, or how the call ended
 */
public record AuditRow(
        String id,
        long timeMs,
        String actor,
        String address,
        String action,
        String object,
        String detail,
        String outcome) {
    /** The outcome before the call has ended. It stays if the node ends in between, or cannot write. */
    public static final String BEGUN = "BEGUN";

    public static final int MAX_ID = 24;
    public static final int MAX_ACTOR = 64;
    public static final int MAX_ADDRESS = 64;
    public static final int MAX_ACTION = 40;
    public static final int MAX_OBJECT = 193;
    public static final int MAX_DETAIL = 500;
    public static final int MAX_OUTCOME = 40;
}
