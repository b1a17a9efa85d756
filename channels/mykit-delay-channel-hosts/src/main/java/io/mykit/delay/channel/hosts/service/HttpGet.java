package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Sends requests to a registry. Thread-safe; no call blocks. */
public interface HttpGet {
    /** The stage fails if there is no whole answer in time, or if the answer is too long. */
    CompletionStage<Reply> get(Destination destination, Map<String, String> headers);

    /** An answer. */
    record Reply(int status, Buffer body) {}
}
