package io.mykit.delay.channel.hosts.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** By hand: the test answers each question, and moves the time. */
class ServicesTest {
    private static final Destination A = Destination.of(Schemes.HTTP, false, "10.0.0.1", 80);
    private static final Destination B = Destination.of(Schemes.HTTP, false, "10.0.0.2", 80);
    private static final Destination C = Destination.of(Schemes.HTTP, true, "c.internal", 8443);

    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 7);
    private final ScriptedRegistry registry = new ScriptedRegistry();
    private final Services services = new Services(
            StaticEndpoints.of("Shop=http://10.0.0.1 http://10.0.0.2, stock=https://c.internal:8443\n", Schemes.HTTP),
            Optional.of(registry),
            nanoTime::get);

    @Test
    void theInstancesOfTheConfigurationTakeTurns() {
        Set<Destination> first = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            List<Destination> instances = found("shop");
            assertThat(instances).containsExactlyInAnyOrder(A, B);
            first.add(instances.get(0));
        }
        assertThat(first).containsExactlyInAnyOrder(A, B);
        assertThat(found("stock")).containsExactly(C);
        assertThat(registry.questions).isEmpty();
    }

    @Test
    void withoutARegistryOtherServicesAreUnknown() {
        Services alone =
                new Services(StaticEndpoints.of("shop=http://a", Schemes.HTTP), Optional.empty(), nanoTime::get);
        assertThat(alone.mayKnow("shop")).isTrue();
        assertThat(alone.mayKnow("stock")).isFalse();
        assertThat(alone.inTurn("stock").toCompletableFuture()).isCompletedWithValue(List.of());
        assertThat(services.mayKnow("any")).isTrue();
    }

    @Test
    void theRegistryIsAskedOnceForAllThatWait() {
        CompletableFuture<List<Destination>> one = services.inTurn("x").toCompletableFuture();
        CompletableFuture<List<Destination>> other = services.inTurn("x").toCompletableFuture();
        assertThat(one).isNotDone();
        registry.answer(Duration.ofSeconds(20), A, B);

        assertThat(one.join().get(0)).isNotEqualTo(other.join().get(0));
        pass(Duration.ofSeconds(19));
        assertThat(found("x")).containsExactlyInAnyOrder(A, B);
        assertThat(registry.questions).isEmpty();

        pass(Duration.ofSeconds(1));
        CompletableFuture<List<Destination>> later = services.inTurn("x").toCompletableFuture();
        registry.answer(Duration.ZERO, C);
        assertThat(later.join()).containsExactly(C);
    }

    @Test
    void anAnswerIsFreshForAtLeastASecondAndAtMostThirty() {
        ask("x", Duration.ofDays(1), A);
        pass(KnownService.MAX_FRESH.minusNanos(1));
        assertThat(found("x")).containsExactly(A);
        pass(Duration.ofNanos(1));
        ask("x", Duration.ZERO, B);
        pass(KnownService.MIN_FRESH.minusNanos(1));
        assertThat(found("x")).containsExactly(B);
        pass(Duration.ofNanos(1));
        ask("x", Duration.ofDays(1));
        pass(KnownService.SOON.minusNanos(1));
        assertThat(found("x")).isEmpty();
        pass(Duration.ofNanos(1));
        ask("x", Duration.ofSeconds(9), C);
        assertThat(found("x")).containsExactly(C);
    }

    @Test
    void theLastAnswerCountsWhileTheRegistryIsAway() {
        ask("x", Duration.ofSeconds(30), A);
        Duration age = Duration.ZERO;
        while (age.compareTo(KnownService.MAX_AGE.minus(KnownService.MAX_FRESH)) < 0) {
            pass(KnownService.MAX_FRESH);
            age = age.plus(KnownService.MAX_FRESH);
            CompletableFuture<List<Destination>> found = services.inTurn("x").toCompletableFuture();
            registry.fail("connection refused");
            assertThat(found.join()).containsExactly(A);
            assertThat(found("x")).as("no question right after a failure").containsExactly(A);
        }
        pass(KnownService.MAX_FRESH);
        CompletableFuture<List<Destination>> tooOld = services.inTurn("x").toCompletableFuture();
        registry.fail("connection refused");
        assertThatThrownBy(tooOld::join).hasRootCauseMessage("connection refused");
        assertThatThrownBy(() -> found("x")).hasRootCauseMessage("connection refused");

        pass(KnownService.SOON);
        ask("x", Duration.ofSeconds(30), B);
        assertThat(found("x")).containsExactly(B);
    }

    @Test
    void aRegistryThatThrowsLeavesNoQuestionOpen() {
        registry.trouble = () -> {
            throw new IllegalArgumentException("bad name");
        };
        assertThatThrownBy(() -> found("x")).hasRootCauseMessage("bad name");
        pass(KnownService.SOON);
        registry.trouble = () -> {
            throw new NoClassDefFoundError("of the client");
        };
        assertThatThrownBy(() -> found("x")).hasRootCauseMessage("of the client");
        registry.trouble = () -> {};
        pass(KnownService.SOON);
        ask("x", Duration.ofSeconds(1), A);
    }

    @Test
    void theServicesThatAreRememberedAreBounded() {
        for (int i = 0; i <= Services.MAX_KNOWN; i++) {
            ask("x" + i, Duration.ofSeconds(30), A);
        }
        assertThat(found("x1")).as("still known").containsExactly(A);
        ask("x0", Duration.ofSeconds(30), B);
    }

    private void pass(Duration time) {
        nanoTime.addAndGet(time.toNanos());
    }

    /** Asks for a service that the registry has to be asked for. */
    private void ask(String service, Duration freshFor, Destination... instances) {
        CompletableFuture<List<Destination>> found = services.inTurn(service).toCompletableFuture();
        registry.answer(freshFor, instances);
        assertThat(found.join()).containsExactly(instances);
    }

    /** The instances that are known without a question. */
    private List<Destination> found(String service) {
        CompletableFuture<List<Destination>> found = services.inTurn(service).toCompletableFuture();
        assertThat(found).isDone();
        return found.join();
    }

    /** Keeps each question until the test answers it. */
    private static final class ScriptedRegistry implements EndpointResolver {
        private final List<CompletableFuture<Endpoints>> questions = new ArrayList<>();
        private Runnable trouble = () -> {};

        @Override
        public CompletionStage<Endpoints> find(String service) {
            trouble.run();
            CompletableFuture<Endpoints> question = new CompletableFuture<>();
            questions.add(question);
            return question;
        }

        void answer(Duration freshFor, Destination... instances) {
            questions.remove(0).complete(new Endpoints(List.of(instances), freshFor));
            assertThat(questions).isEmpty();
        }

        void fail(String why) {
            questions.remove(0).completeExceptionally(new IllegalStateException(why));
            assertThat(questions).isEmpty();
        }

        @Override
        public void close() {
            questions.forEach(question -> question.completeExceptionally(new IllegalStateException("closed")));
        }
    }
}
