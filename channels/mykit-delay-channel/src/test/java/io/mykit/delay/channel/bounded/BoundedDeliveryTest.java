package io.mykit.delay.channel.bounded;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.MessageBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundedDeliveryTest {
    private final BoundedDelivery bounded = new BoundedDelivery("test", Duration.ofSeconds(30));
    private final List<Integer> partSizes = new ArrayList<>();

    @AfterEach
    void close() {
        bounded.close();
    }

    @Test
    void oneCulpritAmongManyIsFoundByHalving() {
        List<Delivery> fates = bounded.deliver(parts(200, Long.MAX_VALUE), send(part -> part.contains(message(137))));

        for (int i = 0; i < 200; i++) {
            assertThat(fates.get(i).kind()).isEqualTo(i == 137 ? Delivery.Kind.REFUSED : Delivery.Kind.DELIVERED);
        }
        assertThat(partSizes).hasSizeLessThanOrEqualTo(17);
    }

    @Test
    void aSharedFateIsNotHalved() {
        List<Delivery> fates = bounded.deliver(parts(8, Long.MAX_VALUE), new Sender() {
            @Override
            public Fate send(List<DelayMessage> part) {
                partSizes.add(part.size());
                return Fate.ofAll(Delivery.failed("half stored"));
            }
        });
        assertThat(fates).hasSize(8).extracting(Delivery::kind).containsOnly(Delivery.Kind.FAILED);
        assertThat(partSizes).containsExactly(8);
    }

    @Test
    void aBrokerThatAnswersForEachMessageIsTakenAtItsWord() {
        List<Delivery> fates = bounded.deliver(parts(6, 3), new Sender() {
            @Override
            public Fate send(List<DelayMessage> part) {
                partSizes.add(part.size());
                return Fate.ofEach(part.stream()
                        .map(message -> message.id().equals("4") ? Delivery.failed("choked") : Delivery.DELIVERED)
                        .toList());
            }
        });
        assertThat(partSizes).containsExactly(3, 3);
        assertThat(fates).hasSize(6);
        assertThat(fates.get(4)).isEqualTo(Delivery.failed("choked"));
        assertThat(fates).filteredOn(Delivery.DELIVERED::equals).hasSize(5);
    }

    @Test
    void fatesThatAreTooFewAreUnavailable() {
        List<Delivery> fates = bounded.deliver(parts(2, 2), new Sender() {
            @Override
            public Fate send(List<DelayMessage> part) {
                return Fate.ofEach(List.of(Delivery.DELIVERED));
            }
        });
        assertThat(fates).hasSize(2).extracting(Delivery::kind).containsOnly(Delivery.Kind.UNAVAILABLE);
    }

    @Test
    void oneUnclearCulpritIsFoundByHalving() {
        List<Delivery> fates = bounded.deliver(parts(200, Long.MAX_VALUE), unclear(part -> part.contains(message(3))));

        for (int i = 0; i < 200; i++) {
            assertThat(fates.get(i).kind()).isEqualTo(i == 3 ? Delivery.Kind.UNCLEAR : Delivery.Kind.DELIVERED);
        }
    }

    @Test
    void aBrokerThatRefusesEverythingIsNotAskedAboutEachMessage() {
        List<Delivery> fates = bounded.deliver(parts(200, 50), unclear(part -> true));

        assertThat(fates).extracting(Delivery::kind).doesNotContain(Delivery.Kind.DELIVERED, Delivery.Kind.FAILED);
        assertThat(fates.get(199)).isEqualTo(Delivery.notSent("system error"));
        assertThat(partSizes).hasSizeLessThanOrEqualTo(12);
    }

    private Sender unclear(Predicate<List<DelayMessage>> hit) {
        return new Sender() {
            @Override
            public Fate send(List<DelayMessage> part) {
                partSizes.add(part.size());
                return hit.test(part)
                        ? Fate.ofSomebody(Delivery.unclear("system error"))
                        : Fate.ofAll(Delivery.DELIVERED);
            }
        };
    }

    @Test
    void isCutBySizeInOrderAndALargeOneGoesAlone() {
        List<List<String>> sent = new ArrayList<>();
        BatchParts parts = new BatchParts(
                messages(6),
                message -> Optional.empty(),
                message -> message.id().equals("2") ? 100 : 4,
                10);
        bounded.deliver(parts, new Sender() {
            @Override
            public Fate send(List<DelayMessage> part) {
                sent.add(part.stream().map(DelayMessage::id).toList());
                return Fate.ofAll(Delivery.DELIVERED);
            }
        });
        assertThat(sent).containsExactly(List.of("0", "1"), List.of("2"), List.of("3", "4"), List.of("5"));
    }

    @Test
    void whatIsObjectedToIsNotSent() {
        BatchParts parts = new BatchParts(
                messages(3),
                message -> message.id().equals("1") ? Optional.of("no") : Optional.empty(),
                message -> 1,
                10);
        List<Delivery> fates = bounded.deliver(parts, send(part -> false));
        assertThat(fates).containsExactly(Delivery.DELIVERED, Delivery.refused("no"), Delivery.DELIVERED);
        assertThat(partSizes).containsExactly(2);
    }

    @Test
    void aBrokenBrokerEndsTheBatchButNotWhatWasConfirmed() {
        List<Delivery> fates = bounded.deliver(parts(3, 1), new Sender() {
            @Override
            public Fate send(List<DelayMessage> part) throws IOException {
                if (!part.get(0).id().equals("0")) {
                    throw new IOException("Connection reset");
                }
                return Fate.ofAll(Delivery.DELIVERED);
            }
        });
        assertThat(fates)
                .as("the broker may have the second one")
                .containsExactly(
                        Delivery.DELIVERED,
                        Delivery.unavailable("IOException: Connection reset"),
                        Delivery.notSent("IOException: Connection reset"));
    }

    @Test
    void aBrokerThatIsNotReachedHasGotNothing() {
        List<Delivery> fates = bounded.deliver(parts(2, 1), new Sender() {
            @Override
            public Fate send(List<DelayMessage> part) throws IOException {
                throw new NotSentException("no route", new IOException("x"));
            }
        });
        assertThat(fates).containsExactly(Delivery.notSent("no route"), Delivery.notSent("no route"));
    }

    /** The broker refused the whole part, and was lost before the halves were sent. */
    @Test
    void aHalfThatIsNotSentHasNotArrived() {
        List<Delivery> fates = bounded.deliver(parts(4, Long.MAX_VALUE), new Sender() {
            @Override
            public Fate send(List<DelayMessage> part) throws IOException {
                if (part.size() == 4) {
                    return Fate.ofSomebody(Delivery.failed("one is at fault"));
                }
                throw new IOException("gone");
            }
        });
        assertThat(fates).extracting(Delivery::unsent).containsExactly(false, false, true, true);
    }

    @Test
    void aSendThatHangsIsGivenUp() {
        AtomicBoolean abandoned = new AtomicBoolean();
        try (BoundedDelivery hasty = new BoundedDelivery("test", Duration.ofMillis(500))) {
            List<Delivery> fates = hasty.deliver(parts(2, 1), new BoundedSend() {
                @Override
                public Fate send(List<DelayMessage> part) throws InterruptedException {
                    if (part.get(0).id().equals("1")) {
                        new CountDownLatch(1).await();
                    }
                    return Fate.ofAll(Delivery.DELIVERED);
                }

                @Override
                public void abandon() {
                    abandoned.set(true);
                }
            });
            assertThat(fates)
                    .containsExactly(Delivery.DELIVERED, Delivery.unavailable("no confirmation within 500 ms"));
            assertThat(abandoned).isTrue();
        }
    }

    @Test
    void afterCloseEverythingIsUnavailable() {
        bounded.close();
        assertThat(bounded.deliver(parts(1, 1), send(part -> false)))
                .containsExactly(Delivery.notSent("the channel is closed"));
        assertThat(bounded.health(() -> null).up()).isFalse();
    }

    @Test
    void healthThatThrowsIsDown() {
        assertThat(bounded.health(() -> {
                            throw new IOException("gone");
                        })
                        .details())
                .containsEntry("reason", "IOException: gone");
    }

    private Sender send(Predicate<List<DelayMessage>> refused) {
        return new Sender() {
            @Override
            public Fate send(List<DelayMessage> part) {
                partSizes.add(part.size());
                return refused.test(part)
                        ? Fate.ofSomebody(Delivery.refused("illegal"))
                        : Fate.ofAll(Delivery.DELIVERED);
            }
        };
    }

    private static BatchParts parts(int size, long maxBytes) {
        return new BatchParts(messages(size), message -> Optional.empty(), message -> 1, maxBytes);
    }

    private static List<DelayMessage> messages(int size) {
        return IntStream.range(0, size).mapToObj(BoundedDeliveryTest::message).toList();
    }

    private static DelayMessage message(int id) {
        return MessageBuilder.withId(Integer.toString(id)).build();
    }

    private abstract static class Sender implements BoundedSend {
        @Override
        public void abandon() {
            throw new AssertionError("nobody is in a hurry");
        }
    }
}
