package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.hosts.destination.Destination;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instances of one service, as its registry told last. There is one question at a time. While the registry does not
 * answer, its last answer counts for {@link #MAX_AGE}. Thread-safe.
 */
final class KnownService {
    static final Duration MIN_FRESH = Duration.ofSeconds(1);
    static final Duration MAX_FRESH = Duration.ofSeconds(30);
    /** A service without instances is probably about to start, and a registry without answer to come back. */
    static final Duration SOON = Duration.ofSeconds(5);

    static final Duration MAX_AGE = Duration.ofHours(1);
    private static final int MAX_ANSWER_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(KnownService.class);

    private final String name;
    private final EndpointResolver registry;
    private final LongSupplier nanoTime;
    private final Turn turn = new Turn();

    /** The lock of this object guards all that follows. Null while there is no question. */
    private CompletableFuture<List<Destination>> asking;
    /** Null until the first answer. */
    private List<Destination> known;

    private long knownSinceNanos;
    /** Null if the last question was answered. */
    private Throwable failure;

    private boolean asked;
    private long askAgainNanos;

    /**
     * @param nanoTime as {@link System#nanoTime}
     */
    KnownService(String name, EndpointResolver registry, LongSupplier nanoTime) {
        this.name = name;
        this.registry = registry;
        this.nanoTime = nanoTime;
    }

    /** The instances; the one whose turn it is comes first. */
    CompletionStage<List<Destination>> inTurn() {
        return instances().thenApply(turn::of);
    }

    /** The last answer; empty if there is none. */
    synchronized List<Destination> last() {
        return known == null ? List.of() : known;
    }

    private CompletableFuture<List<Destination>> instances() {
        CompletableFuture<List<Destination>> question;
        synchronized (this) {
            if (asking != null) {
                return asking;
            }
            if (asked && nanoTime.getAsLong() - askAgainNanos < 0) {
                return lastAnswer();
            }
            question = new CompletableFuture<>();
            asking = question;
        }
        var unused = ask().whenComplete((found, thrown) -> answered(question, found, thrown));
        return question;
    }

    private CompletableFuture<Endpoints> ask() {
        try {
            return registry.find(name).toCompletableFuture().orTimeout(MAX_ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (RuntimeException | Error e) {
            // For example a name that the registry's client does not take. The question must end all the same.
            return CompletableFuture.failedFuture(e);
        }
    }

    private void answered(CompletableFuture<List<Destination>> question, Endpoints found, Throwable thrown) {
        CompletableFuture<List<Destination>> answer;
        synchronized (this) {
            asking = null;
            asked = true;
            long now = nanoTime.getAsLong();
            if (thrown == null) {
                if (failure != null) {
                    LOG.info("Service {}: the registry answers again", name);
                }
                failure = null;
                known = found.instances();
                knownSinceNanos = now;
                askAgainNanos = now + freshFor(found).toNanos();
            } else {
                Throwable cause =
                        thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
                if (failure == null) {
                    LOG.warn(
                            "Service {}: the registry does not answer ({}); its last answer counts for {} min",
                            name,
                            Reasons.of(cause),
                            MAX_AGE.toMinutes());
                }
                failure = cause;
                askAgainNanos = now + SOON.toNanos();
            }
            answer = lastAnswer();
        }
        var unused = answer.whenComplete((instances, failed) -> {
            if (failed == null) {
                question.complete(instances);
            } else {
                question.completeExceptionally(failed);
            }
        });
    }

    private CompletableFuture<List<Destination>> lastAnswer() {
        boolean usable =
                known != null && (failure == null || nanoTime.getAsLong() - knownSinceNanos < MAX_AGE.toNanos());
        return usable ? CompletableFuture.completedFuture(known) : CompletableFuture.failedFuture(failure);
    }

    private static Duration freshFor(Endpoints found) {
        Duration most = found.instances().isEmpty() ? SOON : MAX_FRESH;
        if (found.freshFor().compareTo(most) > 0) {
            return most;
        }
        return found.freshFor().compareTo(MIN_FRESH) < 0 ? MIN_FRESH : found.freshFor();
    }
}
