package io.mykit.delay.access.log;

/**
 * A request and its answer, for its line in the log. Immutable.
 *
 * @param method of HTTP, or {@code gRPC}
 * @param route the name of the call, as in the metrics
 * @param status of HTTP; 0 = none
 * @param grpcStatus the name of the status of gRPC; null = none
 * @param failed whether it is an error
 * @param address of the other end of the connection; empty = not known
 * @param agent what the client says of itself; null = nothing
 * @param nanos from the head of the request to its answer
 */
public record RequestAnswer(
        String method,
        String route,
        int status,
        String grpcStatus,
        boolean failed,
        long bytesIn,
        long bytesOut,
        String address,
        String agent,
        long nanos) {
    private static final int FIRST_ERROR = 400;

    /** Of HTTP. */
    public static RequestAnswer ofHttp(
            String method,
            String route,
            int status,
            long bytesIn,
            int bytesOut,
            String address,
            String agent,
            long nanos) {
        return new RequestAnswer(
                method, route, status, null, status >= FIRST_ERROR, bytesIn, bytesOut, address, agent, nanos);
    }
}
