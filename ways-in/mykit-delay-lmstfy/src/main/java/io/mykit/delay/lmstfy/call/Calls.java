package io.mykit.delay.lmstfy.call;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The calls of one port. Thread-safe; no method blocks. */
public interface Calls {
    /** The name of the call for the log of requests; no part of it comes from the client. */
    String route(String method, List<String> path);

    /** The maximum of bytes in the body of this call. */
    int maxBody(String method, List<String> path);

    /** The answer; it may fail, see {@link Refusal#of}. Called on the event loop of the request. */
    CompletableFuture<Reply> answer(Request request);
}
