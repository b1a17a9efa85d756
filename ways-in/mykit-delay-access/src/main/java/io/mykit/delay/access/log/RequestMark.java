package io.mykit.delay.access.log;

import io.mykit.delay.access.Principal;

/** The facts about one request that its log line needs. Used on the event loop of the request only. */
public final class RequestMark {
    /** For a request without an id and without a line. */
    static final RequestMark NONE = new RequestMark(null, false);

    private final String id;
    private final boolean logged;
    private String caller = Principal.ANONYMOUS.name();
    private String messageId;
    private String traceId;
    private String spanId;

    RequestMark(String id, boolean logged) {
        this.id = id;
        this.logged = logged;
    }

    /** The id of the request, for the header of the answer; null = none. */
    public String id() {
        return id;
    }

    /**
     * The request has passed the checks of access.
     *
     * @param message the id of a message in the path; null = none
     */
    public void admitted(String callerName, String message) {
        if (logged) {
            caller = callerName;
            messageId = message;
        }
    }

    /**
     * The request belongs to a trace.
     *
     * @param trace null = none
     * @param span its span if it is recorded; null = not
     */
    public void traced(String trace, String span) {
        if (logged) {
            traceId = trace;
            spanId = span;
        }
    }

    /** Whether the request may get a line. */
    public boolean logged() {
        return logged;
    }

    String caller() {
        return caller;
    }

    String messageId() {
        return messageId;
    }

    String traceId() {
        return traceId;
    }

    String spanId() {
        return spanId;
    }
}
