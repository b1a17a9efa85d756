package io.mykit.delay.channel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Delivery.Kind;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** No message waits for ever, whatever fails. */
class KafkaChannelTest {
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    /** Without known topics: what becomes of a topic after a failure throws. */
    private final Clients.Current current = new Clients.Current(producer, null, null, null);

    private final List<CompletableFuture<Delivery>> fates =
            List.of(new CompletableFuture<>(), new CompletableFuture<>(), new CompletableFuture<>());

    @Test
    void anErrorBeforeOneSendLeavesTheOthers() {
        KafkaChannel channel = channel();
        Outgoing wrong = new Outgoing(message("1"), 1, 0, () -> {
            throw new AssertionError("torn");
        });
        Throwable thrown =
                catchThrowable(() -> channel.sendAll(current, List.of(wrong, outgoing(), outgoing()), fates));
        while (producer.completeNext()) {
            assertThat(thrown).isNull();
        }

        assertThat(fates).allMatch(CompletableFuture::isDone);
        assertThat(fates.get(0).join().kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(fates.get(0).join().detail()).contains("torn");
        assertThat(fates.subList(1, 3))
                .allSatisfy(fate -> assertThat(fate.join()).isEqualTo(Delivery.DELIVERED));
        channel.close();
    }

    @Test
    void eachFateIsToldThoughTheCareForItsTopicFails() {
        KafkaChannel channel = channel();
        producer.sendException = new TimeoutException("late");
        Throwable thrown =
                catchThrowable(() -> channel.sendAll(current, List.of(outgoing(), outgoing(), outgoing()), fates));

        assertThat(fates).allSatisfy(KafkaChannelTest::isLate);
        assertThat(thrown).isNull();
        channel.close();
    }

    @Test
    void aFateIsToldThoughTheCareForItsTopicFailsInTheCallback() {
        KafkaChannel channel = channel();
        channel.sendAll(current, List.of(outgoing()), fates);
        Throwable thrown = catchThrowable(() -> producer.errorNext(new TimeoutException("late")));

        isLate(fates.get(0));
        assertThat(thrown).isNull();
        channel.close();
    }

    /** A topic without a name is one of the ways to fail there. */
    @Test
    void aFailureBeforeTheFirstSendEndsEachMessageAsNotSent() throws Exception {
        KafkaChannel channel = channel();
        for (CompletableFuture<Delivery> fate : channel.send(null, List.of(outgoing(), outgoing()))) {
            assertThat(fate.get(30, TimeUnit.SECONDS).unsent()).isTrue();
        }
        channel.close();
    }

    private static void isLate(CompletableFuture<Delivery> fate) {
        assertThat(fate).isDone();
        assertThat(fate.join().kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(fate.join().detail()).contains("late");
    }

    private static KafkaChannel channel() {
        KafkaSettings settings = new KafkaSettings(ChannelSettings.of(
                "kafka",
                KafkaSettings.keys(),
                Map.of("bootstrap-servers", "127.0.0.1:1", "tls", "true"),
                Duration.ofSeconds(1)));
        return KafkaChannel.of(settings, ClientProperties.of(settings));
    }

    private static Outgoing outgoing() {
        return new Outgoing(message("2"), 1, 0);
    }

    private static DelayMessage message(String id) {
        return new DelayMessage(id, "orders", "", "", "b", 0, 0, 0, 0, 0);
    }
}
