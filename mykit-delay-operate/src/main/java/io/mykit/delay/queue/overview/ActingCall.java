package io.mykit.delay.queue.overview;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.bucket.NodeNotes.CallEnd;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A call that acted on the queue, with its caller and result. Immutable.
 *
 * @param timeMs its begin, epoch milliseconds by the clock of the cluster
 * @param call the name of its route
 * @param what its parameters, for a person; neither a token nor a body of a message
 * @param caller the name of the caller's role; never the token
 * @param address of the other end of the connection, which may be a proxy; empty = not known
 * @param status the HTTP status of the answer
 * @param result {@code DONE}, or the word of the error
 * @param milliseconds from its begin to its end
 */
public record ActingCall(
        long timeMs,
        String call,
        String what,
        String caller,
        String address,
        int status,
        String result,
        long milliseconds) {
    /** The least HTTP status of a refusal. */
    private static final int REFUSED = 400;
    /** The HTTP status after a defect of the server. */
    private static final int DEFECT = 500;

    /** A call that failed and may have changed something counts as one that acted. */
    CallEnd end() {
        boolean acted = status < REFUSED || status == DEFECT || result.equals(ErrorCode.OUTCOME_UNKNOWN.name());
        return acted ? CallEnd.ACTED : CallEnd.REFUSED;
    }

    /** @param node the node that answered the call */
    Map<String, Object> fields(String node) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("time", timeMs);
        fields.put("call", call);
        fields.put("what", what);
        fields.put("caller", caller);
        fields.put("address", address);
        fields.put("node", node);
        fields.put("status", status);
        fields.put("result", result);
        fields.put("milliseconds", milliseconds);
        return fields;
    }
}
