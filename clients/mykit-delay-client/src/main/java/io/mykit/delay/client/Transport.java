package io.mykit.delay.client;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends single requests.
 *
 * @param authorization the header; empty = none
 * @param tokenSetting names the setting of the token, for messages
 * @param timeout from the begin of a request to the last byte of its answer
 */
record Transport(
        HttpClient http, Endpoints endpoints, Optional<String> authorization, String tokenSetting, Duration timeout) {
    /** Cancelling the future ends the request. */
    CompletableFuture<HttpResponse<byte[]>> send(Request request, int position) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(endpoints.resolve(position, request.path()))
                // A client of the application's own may prefer HTTP/2; the server would ignore that in each first
                // request.
                .version(HttpClient.Version.HTTP_1_1)
                .header("user-agent", "mykit-delay-client")
                .method(
                        request.method(),
                        request.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(request.body()));
        if (!request.body().isEmpty()) {
            builder.header("content-type", "application/json");
        }
        authorization.ifPresent(token -> builder.header("authorization", token));
        CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(builder.build(), BodyHandlers.ofByteArray());
        // The timeout of an HttpRequest ends with the headers of the answer, but a body can stall as well.
        CompletableFuture<HttpResponse<byte[]>> answer =
                sent.copy().orTimeout(timeout.plus(request.patience()).toMillis(), TimeUnit.MILLISECONDS);
        var unused = answer.whenComplete((response, failure) -> {
            if (failure instanceof TimeoutException || answer.isCancelled()) {
                sent.cancel(true);
            }
        });
        return answer;
    }
}
