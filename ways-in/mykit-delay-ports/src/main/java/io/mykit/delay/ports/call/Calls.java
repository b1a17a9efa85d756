package io.mykit.delay.ports.call;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The calls of one port. Thread-safe; no method blocks. */
public interface Calls {
    /** The name of the call for the log of requests; no part of it comes from the client. */
    String route(String method, List<String> path);

    /** Whether the call needs a token or an account now, which a web page does not know. */
    boolean isGuarded(String method, List<String> path);

    /** The maximum of bytes in the body of this call. */
    int maxBody(String method, List<String> path);

    /** The answer; it may fail, see {@link #failed}. Called on the event loop of the request. */
    CompletableFuture<Reply> answer(Request request);

    /** The answer to a call that failed. */
    Reply failed(Throwable failure);

    /** The answer to a request that no call sees. */
    Reply error(int status, String text);
}
