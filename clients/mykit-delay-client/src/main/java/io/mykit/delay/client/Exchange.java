package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One call with its tries. A try goes to the next endpoint if the one before gave no final answer: it could not be reached,
 * did not answer in time, was busy (429), or could not serve (502, 503, 504). Each endpoint is tried once without a pause.
 * Any other answer is final. One try runs at a time.
 */
final class Exchange {
    private final Transport transport;
    private final Request request;
    private final Patience patience;
    private final CompletableFuture<Answer> result = new CompletableFuture<>();
    private final int begin;
    private int tries;
    private boolean inDoubt;
    private volatile CompletableFuture<?> current = result;

    private Exchange(Transport transport, Request request, Duration retryFor) {
        this.transport = transport;
        this.request = request;
        this.patience = new Patience(retryFor);
        this.begin = transport.endpoints().preferred();
    }

    /**
     * Begins a call. Cancelling the future ends it, and its request.
     *
     * @param retryFor no try begins later than that after now
     * @return a final answer, perhaps a refusal, or else a {@link DelayUnavailableException}
     */
    static CompletableFuture<Answer> begin(Transport transport, Request request, Duration retryFor) {
        Exchange exchange = new Exchange(transport, request, retryFor);
        var unused = exchange.result.whenComplete((answer, failure) -> {
            if (exchange.result.isCancelled()) {
                exchange.current.cancel(true);
            }
        });
        exchange.send();
        return exchange.result;
    }

    private void send() {
        if (result.isDone()) {
            return;
        }
        CompletableFuture<HttpResponse<byte[]>> sent = transport.send(request, begin + tries);
        current = sent;
        if (result.isCancelled()) {
            sent.cancel(true);
        }
        // On another thread: this one may belong to the timers of the JVM, and the application's code comes next.
        var unused = sent.handleAsync((response, failure) -> {
            try {
                if (failure == null) {
                    judge(response);
                } else {
                    failed(failure instanceof CompletionException ? failure.getCause() : failure);
                }
            } catch (RuntimeException | Error defect) {
                result.completeExceptionally(defect);
            }
            return null;
        });
    }

    private void judge(HttpResponse<byte[]> response) {
        Answer answer;
        try {
            answer = Answer.read(response.statusCode(), response.body());
        } catch (JsonException e) {
            tryAgain("not an answer of mykit-delay: " + e.getMessage(), e, true, Duration.ZERO);
            return;
        }
        if (answer.isTemporary()) {
            tryAgain(answer.toString(), null, answer.mayBeDone(), retryAfter(response));
        } else {
            transport.endpoints().answered(begin + tries);
            result.complete(answer.afterLostAnswer(inDoubt).namingTokenSetting(transport.tokenSetting()));
        }
    }

    private void failed(Throwable failure) {
        if (failure instanceof CancellationException) {
            return;
        }
        boolean unsent = failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException;
        tryAgain(reason(failure), failure, !unsent, Duration.ZERO);
    }

    /** The JDK's client names a host that cannot be found, and a refused connection, in the causes only. */
    private static String reason(Throwable failure) {
        if (failure instanceof TimeoutException) {
            return "no answer in time";
        }
        if (failure instanceof ConnectException && failure.getMessage() == null) {
            return failure.getCause() instanceof UnresolvedAddressException
                    ? "the name of this host is not known"
                    : "the connection was refused";
        }
        return failure.toString();
    }

    private void tryAgain(String reason, Throwable cause, boolean mayBeDone, Duration retryAfter) {
        inDoubt |= mayBeDone;
        String endpoint = transport.endpoints().resolve(begin + tries, "").toString();
        tries++;
        boolean free = tries < transport.endpoints().size() && patience.allows(Duration.ZERO);
        Duration pause = free ? Duration.ZERO : patience.pause(retryAfter).orElse(null);
        if (pause == null || (inDoubt && !request.repeatable())) {
            result.completeExceptionally(new DelayUnavailableException(
                    endpoint + ": " + reason + " (" + (tries == 1 ? "1 try)" : tries + " tries)"),
                    cause,
                    inDoubt,
                    retryAfter));
        } else if (free) {
            send();
        } else {
            CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(this::send);
        }
    }

    /** Seconds; zero if there is no such header, or if it is a date. */
    private static Duration retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("retry-after")
                .filter(value -> value.matches("[0-9]{1,6}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .orElse(Duration.ZERO);
    }
}
