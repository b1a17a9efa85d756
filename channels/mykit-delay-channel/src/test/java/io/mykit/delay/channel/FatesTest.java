package io.mykit.delay.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.MessageBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FatesTest {
    private final List<String> sent = new ArrayList<>();

    @Test
    void allMessagesShareOneFate() {
        assertThat(Fates.all(messages(3), Delivery.DELIVERED)).hasSize(3).containsOnly(Delivery.DELIVERED);
    }

    @Test
    void eachMessageHasItsOwnFateInOrder() {
        List<Delivery> fates = Fates.each(messages(4), message -> switch (message.id()) {
            case "1" -> Delivery.refused("illegal");
            case "2" -> Delivery.failed("choked");
            default -> Delivery.DELIVERED;
        });

        assertThat(fates)
                .containsExactly(
                        Delivery.DELIVERED, Delivery.refused("illegal"), Delivery.failed("choked"), Delivery.DELIVERED);
    }

    @Test
    void aMessageThatThrowsIsUnclearAndTheNextOneIsSent() {
        List<Delivery> fates = Fates.each(messages(3), message -> send(message, "1"));

        assertThat(fates)
                .containsExactly(Delivery.DELIVERED, Delivery.unclear("IOException: broken"), Delivery.DELIVERED);
    }

    @Test
    void threeThatThrewWhileNonePassedEndTheBatch() {
        List<Delivery> fates = Fates.each(messages(6), message -> send(message, "0", "1", "2", "3"));

        assertThat(sent).containsExactly("0", "1", "2");
        assertThat(fates)
                .extracting(Delivery::kind)
                .containsExactly(
                        Delivery.Kind.UNCLEAR,
                        Delivery.Kind.UNCLEAR,
                        Delivery.Kind.UNCLEAR,
                        Delivery.Kind.UNAVAILABLE,
                        Delivery.Kind.UNAVAILABLE,
                        Delivery.Kind.UNAVAILABLE);
    }

    @Test
    void nothingIsSentAfterTheBrokerWasUnavailable() {
        List<Delivery> fates = Fates.each(messages(3), message -> {
            sent.add(message.id());
            return Delivery.unavailable("gone");
        });

        assertThat(sent).containsExactly("0");
        assertThat(fates)
                .containsExactly(Delivery.unavailable("gone"), Delivery.notSent("gone"), Delivery.notSent("gone"));
    }

    @Test
    void anInterruptEndsTheBatchAndIsKept() {
        List<Delivery> fates = Fates.each(messages(2), message -> {
            throw new InterruptedException();
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(fates).extracting(Delivery::kind).containsOnly(Delivery.Kind.UNAVAILABLE);
    }

    private Delivery send(DelayMessage message, String... broken) throws IOException {
        sent.add(message.id());
        if (List.of(broken).contains(message.id())) {
            throw new IOException("broken");
        }
        return Delivery.DELIVERED;
    }

    private static List<DelayMessage> messages(int size) {
        return IntStream.range(0, size)
                .mapToObj(id -> MessageBuilder.withId(Integer.toString(id)).build())
                .toList();
    }
}
