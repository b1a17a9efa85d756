package io.mykit.delay.channel.grpc;

/** The statuses of gRPC, in the order of their numbers. */
enum StatusCode {
    OK,
    CANCELLED,
    UNKNOWN,
    INVALID_ARGUMENT,
    DEADLINE_EXCEEDED,
    NOT_FOUND,
    ALREADY_EXISTS,
    PERMISSION_DENIED,
    RESOURCE_EXHAUSTED,
    FAILED_PRECONDITION,
    ABORTED,
    OUT_OF_RANGE,
    UNIMPLEMENTED,
    INTERNAL,
    UNAVAILABLE,
    DATA_LOSS,
    UNAUTHENTICATED;

    /** A number that gRPC does not know, and any other text, is UNKNOWN. */
    static StatusCode of(String number) {
        StatusCode[] known = values();
        int code = number.matches("\\d{1,2}") ? Integer.parseInt(number) : known.length;
        return code < known.length ? known[code] : UNKNOWN;
    }

    /** The status of an answer that is not one of gRPC: a proxy gave it. */
    static StatusCode ofHttp(int status) {
        return switch (status) {
            case 429, 502, 503, 504 -> UNAVAILABLE;
            // gRPC's own table makes UNIMPLEMENTED of 404. But a proxy without a route says nothing about the message.
            default -> UNKNOWN;
        };
    }

    /**
     * Whether the same message would always get it. {@link #UNIMPLEMENTED} does not say so: a proxy without a route answers it, and so does
     * a receiver whose new version is not there yet.
     */
    boolean isVerdict() {
        return this == INVALID_ARGUMENT || this == OUT_OF_RANGE;
    }

    /** Whether it asks to come back later. */
    boolean mayAskToWait() {
        return this == UNAVAILABLE || this == RESOURCE_EXHAUSTED;
    }

    /** Whether it shows that the receiver itself has trouble, and not this message. */
    boolean isReceiverIll() {
        return switch (this) {
            case UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, INTERNAL, UNAVAILABLE, DATA_LOSS -> true;
            default -> false;
        };
    }
}
