package io.mykit.delay.queue.trace;

/**
 * The names of attributes, by the semantic conventions of OpenTelemetry in the version of {@link #SCHEMA}. Those for messaging
 * are still in development there, so they stand in this class alone. Stateless.
 */
public final class Attributes {
    /** The version of the conventions. */
    public static final String SCHEMA = "https://opentelemetry.io/schemas/1.43.0";

    public static final String ERROR_TYPE = "error.type";

    public static final String HTTP_METHOD = "http.request.method";
    public static final String HTTP_ROUTE = "http.route";
    public static final String HTTP_STATUS = "http.response.status_code";
    public static final String URL_SCHEME = "url.scheme";

    public static final String RPC_SYSTEM = "rpc.system.name";
    /** With the full name of its service. */
    public static final String RPC_METHOD = "rpc.method";

    public static final String RPC_STATUS = "rpc.response.status_code";

    public static final String SYSTEM = "messaging.system";
    public static final String OPERATION_TYPE = "messaging.operation.type";
    public static final String OPERATION_NAME = "messaging.operation.name";
    public static final String DESTINATION = "messaging.destination.name";
    public static final String MESSAGE_ID = "messaging.message.id";
    /** In bytes. */
    public static final String BODY_SIZE = "messaging.message.body.size";

    public static final String MESSAGE_COUNT = "messaging.batch.message_count";

    /** The due time, epoch milliseconds. */
    public static final String DUE_TIME = "mykit_delay.due_time";
    /** The number of the attempt, from 1. */
    public static final String ATTEMPT = "mykit_delay.attempt";
    /** From the due time to the begin of the delivery, in milliseconds. */
    public static final String LATE_MS = "mykit_delay.late_ms";
    /** From the creation of the message to its due time, in milliseconds. */
    public static final String DELAY_MS = "mykit_delay.delay_ms";
    /** The messages of a batch that were not delivered. */
    public static final String NOT_DELIVERED = "mykit_delay.not_delivered";
    /** The sampled messages of a batch that have no link, because a span has a limited number of links. */
    public static final String UNLINKED = "mykit_delay.unlinked";

    private Attributes() {}
}
