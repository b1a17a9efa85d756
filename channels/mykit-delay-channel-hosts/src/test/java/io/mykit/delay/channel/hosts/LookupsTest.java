package io.mykit.delay.channel.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LookupsTest {
    private static final List<InetAddress> HERE = List.of(InetAddress.getLoopbackAddress());

    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger questions = new AtomicInteger();
    private final Lookups lookups = new Lookups(this::resolve, Duration.ofSeconds(10));

    @AfterEach
    void close() {
        answer.countDown();
        lookups.close();
    }

    @Test
    void aNameWithoutAnAnswerHoldsUpNoOther() throws Exception {
        List<CompletableFuture<List<InetAddress>>> waiting =
                IntStream.range(0, 40).mapToObj(i -> find("slow.example")).toList();
        assertThat(find("good.example").get(9, TimeUnit.SECONDS)).isEqualTo(HERE);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        answer.countDown();
        for (CompletableFuture<List<InetAddress>> found : waiting) {
            assertThat(found.get(9, TimeUnit.SECONDS)).isEqualTo(HERE);
        }
        assertThat(questions).hasValue(2);
    }

    @Test
    void aLookupThatEndedIsNotUsedAgain() {
        for (int i = 1; i <= 2; i++) {
            assertThat(find("bad.example"))
                    .failsWithin(Duration.ofSeconds(9))
                    .withThrowableThat()
                    .havingRootCause()
                    .isInstanceOf(UnknownHostException.class);
            assertThat(questions).hasValue(i);
        }
    }

    private CompletableFuture<List<InetAddress>> find(String host) {
        return lookups.addresses(Destination.of(Schemes.HTTP, false, host, 80)).toCompletableFuture();
    }

    private List<InetAddress> resolve(String host) throws UnknownHostException {
        questions.incrementAndGet();
        if (host.startsWith("bad")) {
            throw new UnknownHostException(host);
        }
        if (host.startsWith("slow")) {
            awaitAnswer();
        }
        return HERE;
    }

    private void awaitAnswer() {
        try {
            answer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
