package io.mykit.delay.controller.http;

import io.mykit.delay.access.log.RequestMark;
import io.vertx.core.http.HttpServerRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request whose head is complete, together with the use of its connection.
 *
 * @param mark the facts for the log of requests
 * @param nanos the time at which its head was complete, by the monotonic clock
 */
record Arrived(HttpServerRequest request, Connections.Use use, LoopQueue loop, RequestMark mark, long nanos) {
    private static final Logger LOG = LoggerFactory.getLogger(Arrived.class);

    /** After an Error the connection of the request is closed. The close gives back the bytes that were counted for it. */
    void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error defect) {
            Connections.cutOff(request.connection());
            LOG.error("A request could not be answered, its connection is closed", defect);
        }
    }
}
