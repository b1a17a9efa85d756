package io.mykit.delay.test.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.rocketmq.DelayedSends;
import io.mykit.delay.client.rocketmq.DelayingMQProducer;
import io.mykit.delay.test.delivery.RocketMqReader;
import io.mykit.delay.test.docs.Page;
import io.mykit.delay.test.example.DelayedOrder;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RocketMqAccess;
import io.mykit.delay.test.server.RocketMqServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The producer that delays by mykit-delay, with a packaged server and a broker. What a plain producer sends is the measure. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class RocketMqProducerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String LEVELS = "1s 1s 2s";
    private static final int MIB = 1 << 20;
    private static final String NUMBER = "number";

    /** A broker writes these itself, or takes them as orders. {@code WAIT} is the producer's wait for its broker. */
    private static final Set<String> OF_BROKERS = Set.of(
            "MIN_OFFSET",
            "MAX_OFFSET",
            "CLUSTER",
            "UNIQ_KEY",
            "REAL_TOPIC",
            "REAL_QID",
            "TIMER_OUT_MS",
            "TIMER_ENQUEUE_MS",
            "TIMER_DEQUEUE_MS",
            "TIMER_ROLL_TIMES",
            "TIMER_DELAY_LEVEL",
            "TIMER_DELAY_MS",
            "TIMER_DELAY_SEC",
            "TIMER_DELIVER_MS",
            "DELAY",
            "__STARTDELIVERTIME",
            "MSG_REGION",
            "TRACE_ON",
            "WAIT",
            "__CRC32#");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private RocketMqServer broker;
    private DelayServer server;
    private DelayClient client;
    private DefaultMQProducer direct;
    private DefaultMQProducer delaying;

    @BeforeAll
    void start() throws Exception {
        broker = RocketMqServer.start(
                dir.resolve("rocketmq"),
                Map.of(
                        "timerWheelEnable", "true",
                        "messageDelayLevel", LEVELS,
                        "recallMessageEnable", "true",
                        // A queue of a moment is no reason to refuse a send.
                        "waitTimeMillsInSendQueue", "3000"));
        server = DelayServer.start(
                "server",
                dir.resolve("server"),
                Map.of(
                        "delivery.default-channel", "rocketmq",
                        "delivery.topics.elsewhere", "console",
                        "rocketmq.namesrv-addr", broker.nameServerAddress(),
                        "http.max-body-size", "4000000",
                        "delivery.retry-max", "1s"));
        client = DelayClient.builder().endpoint(server.url()).build();
        direct = started(new DefaultMQProducer("direct"));
        delaying = started(new DelayingMQProducer(
                "delaying", DelayedSends.builder(client).delayLevels(LEVELS).build()));
    }

    @AfterAll
    void stop() {
        List.of(direct, delaying).forEach(DefaultMQProducer::shutdown);
        server.close();
        broker.close();
    }

    /** 200 messages: each mark with each content, sent in each way. The plain producer sends the same content without a delay. */
    @Test
    @Tag("long")
    @Order(1)
    void theConsumerSeesTheMessageOfTheBroker() throws Exception {
        try (Reader plain = new Reader("plain");
                Reader kept = new Reader("kept")) {
            List<Sample> samples = samples();
            assertThat(samples).hasSizeGreaterThanOrEqualTo(200);
            Map<String, Long> dueAtLeast = new HashMap<>();
            Map<String, String> ids = new ConcurrentHashMap<>();
            Way[] ways = Way.values();
            for (int i = 0; i < samples.size(); i++) {
                String number = Integer.toString(i);
                Sample sample = samples.get(i);
                direct.send(sample.undelayed("plain", number));
                Message message = sample.message("kept", number);
                dueAtLeast.put(number, System.currentTimeMillis() + sample.mark.leastMs);
                ways[i % ways.length].send(delaying, message, result -> ids.put(number, result.getMsgId()));
            }
            Map<String, MessageExt> byBroker = plain.await(samples.size());
            Map<String, MessageExt> byUs = kept.await(samples.size());

            for (int i = 0; i < samples.size(); i++) {
                String number = Integer.toString(i);
                MessageExt arrived = byUs.get(number);
                assertThat(Seen.of(arrived)).as(samples.get(i).toString()).isEqualTo(Seen.of(byBroker.get(number)));
                assertThat(arrived.getStoreTimestamp())
                        .as("not early: " + samples.get(i))
                        .isGreaterThanOrEqualTo(dueAtLeast.get(number));
                assertThat(arrived.getProperty("WAIT")).isEqualTo("true");
                if (ids.containsKey(number)) {
                    assertThat(arrived.getMsgId()).isEqualTo(ids.get(number));
                }
            }
            assertThat(ids.size()).isGreaterThan(samples.size() / 2);
        }
    }

    @Test
    @Tag("long")
    @Order(2)
    void aBatchIsDelayedAndEachMessageHasItsId() throws Exception {
        try (Reader kept = new Reader("batches")) {
            List<Message> batch = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Message message = new Message("batches", "tag", "key-" + i, ("body " + i).getBytes(UTF_8));
                message.putUserProperty(NUMBER, Integer.toString(i));
                message.setDelayTimeMs(500 + i);
                batch.add(message);
            }
            SendResult result = delaying.send(batch);
            assertThat(result.getSendStatus()).isEqualTo(SendStatus.SEND_OK);
            String[] ids = result.getMsgId().split(",", -1);
            Map<String, MessageExt> arrived = kept.await(20);
            for (int i = 0; i < 20; i++) {
                assertThat(arrived.get(Integer.toString(i)).getMsgId()).isEqualTo(ids[i]);
                assertThat(arrived.get(Integer.toString(i)).getKeys()).isEqualTo("key-" + i);
            }
        }
    }

    @Test
    @Tag("long")
    @Order(3)
    void whatHasNoDelayOrAShortOneStaysWithTheBroker() throws Exception {
        DefaultMQProducer lenient = started(new DelayingMQProducer(
                "lenient",
                DelayedSends.builder(client)
                        .topics(List.of("chosen"))
                        .minDelay(Duration.ofSeconds(5))
                        .build()));
        try {
            assertThat(brokerOf(lenient.send(delayed("chosen", 4999)))).isNotEqualTo("mykit-delay");
            assertThat(brokerOf(lenient.send(delayed("chosen", 5000)))).isEqualTo("mykit-delay");
            assertThat(brokerOf(lenient.send(delayed("others", 60_000)))).isNotEqualTo("mykit-delay");
            assertThat(brokerOf(delaying.send(new Message("others", new byte[] {1}))))
                    .isNotEqualTo("mykit-delay");
            assertThat(brokerOf(delaying.send(delayed("others", 0)))).isNotEqualTo("mykit-delay");
        } finally {
            lenient.shutdown();
        }
    }

    @Test
    @Tag("long")
    @Order(4)
    void aRecallCancels() throws Exception {
        SendResult sent = delaying.send(delayed("recalled", 3_600_000));
        assertThat(sent.getRecallHandle()).isEqualTo(sent.getMsgId());
        assertThat(delaying.recallMessage("recalled", sent.getRecallHandle())).isEqualTo(sent.getMsgId());
        assertThat(server.client().job(sent.getMsgId()).dataObject().getString("statusName"))
                .isEqualTo("DELETE");
        assertThatThrownBy(() -> delaying.recallMessage("recalled", "unknown"))
                .isInstanceOf(MQClientException.class)
                .hasMessageContaining("mykit-delay has no message with this id");

        SendResult ofBroker = direct.send(delayed("recalled", 3_600_000));
        assertThat(delaying.recallMessage("recalled", ofBroker.getRecallHandle()))
                .isEqualTo(ofBroker.getMsgId());
    }

    @Test
    @Tag("long")
    @Order(5)
    void theSameObjectSentAgainIsAnotherMessage() throws Exception {
        try (Reader kept = new Reader("again")) {
            Message message = delayed("again", 200);
            message.putUserProperty(NUMBER, "1");
            Set<String> ids = new HashSet<>();
            ids.add(delaying.send(message).getMsgId());
            ids.add(delaying.send(message).getMsgId());
            await().atMost(PATIENCE).until(() -> kept.ids().size() == 2);
            assertThat(kept.ids()).isEqualTo(ids);
        }
    }

    @ParameterizedTest
    @Tag("long")
    @Order(6)
    @EnumSource(Refused.class)
    void theServerRefusesByName(Refused refused) {
        Message message = delayed("refused", 1000);
        refused.change.accept(message);
        assertThatThrownBy(() -> delaying.send(message))
                .isInstanceOf(MQClientException.class)
                .hasMessageContaining(refused.why);
    }

    @ParameterizedTest
    @Tag("long")
    @Order(7)
    @ValueSource(strings = {"docs/rocketmq-producer.md", "docs/rocketmq-producer.zh-CN.md"})
    void theProgramOfThePageWorks(String page) throws Exception {
        String source = Files.readString(Path.of(System.getProperty("mykit.delay.repo", ".."))
                        .resolve("mykit-delay-test/src/test/java/io/mykit/delay/test/example/DelayedOrder.java"))
                .replaceFirst("package .*;\n\n", "");
        assertThat(Page.of(page).blocks()).contains(source);
        String topic = "orders";
        try (Reader orders = new Reader(topic)) {
            DelayedOrder.main(new String[] {server.url(), broker.nameServerAddress()});
            await().atMost(PATIENCE).until(() -> !orders.messages.isEmpty());
            MessageExt arrived = orders.messages.get(0);
            assertThat(arrived.getKeys()).isEqualTo("order-4711");
            assertThat(arrived.getTags()).isEqualTo("cancel");
            assertThat(arrived.getUserProperty("userId")).isEqualTo("7");
        }
    }

    /** A program that sends the same object again after a failure. */
    @Test
    @Tag("nightly")
    @Order(8)
    void nothingIsLostOrTwiceWhileTheServerIsKilled() throws Exception {
        int messages = 300;
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        try (Reader kept = new Reader("killed")) {
            Thread killer = new Thread(() -> {
                await().atMost(PATIENCE).until(() -> acknowledged.size() > 100);
                server.kill();
                server.restart();
            });
            killer.start();
            int failures = 0;
            for (int i = 0; i < messages; i++) {
                Message message = delayed("killed", 2000);
                message.putUserProperty(NUMBER, Integer.toString(i));
                SendResult result = null;
                while (result == null) {
                    try {
                        result = delaying.send(message, 1000);
                    } catch (RemotingException e) {
                        failures++;
                    }
                }
                acknowledged.add(result.getMsgId());
            }
            killer.join();
            assertThat(failures).as("sends that failed").isPositive();
            Map<String, MessageExt> arrived = kept.await(messages);
            assertThat(arrived.values())
                    .extracting(MessageExt::getMsgId)
                    .containsExactlyInAnyOrderElementsOf(acknowledged);
            assertThat(new HashSet<>(acknowledged)).hasSize(messages);
        }
    }

    @Test
    @Tag("long")
    @Order(9)
    void withoutAServerNothingGoesToTheBroker() throws Exception {
        try (Reader away = new Reader("away")) {
            direct.send(new Message("away", "first", new byte[] {1}));
            await().atMost(PATIENCE).until(() -> away.ids().size() == 1);
            server.kill();
            assertThatThrownBy(() -> delaying.send(delayed("away", 100), 500))
                    .isInstanceOf(RemotingException.class)
                    .hasMessageContaining("mykit-delay did not answer");
            List<Throwable> told = new CopyOnWriteArrayList<>();
            delaying.send(delayed("away", 100), new Told(result -> {}, told::add), 500);
            delaying.sendOneway(delayed("away", 100));
            await().atMost(PATIENCE).until(() -> told.size() == 1);
            assertThat(told.get(0)).isInstanceOf(RemotingException.class);
            direct.send(new Message("away", "last", new byte[] {1}));
            await().atMost(PATIENCE)
                    .until(() -> away.messages.stream().anyMatch(message -> "last".equals(message.getTags())));
            assertThat(away.ids()).hasSize(2);
            server.restart();
        }
    }

    private static String brokerOf(SendResult result) {
        return result.getMessageQueue().getBrokerName();
    }

    private static Message delayed(String topic, long delayMs) {
        Message message = new Message(topic, "tag", "key", "body".getBytes(UTF_8));
        message.setDelayTimeMs(delayMs);
        return message;
    }

    private DefaultMQProducer started(DefaultMQProducer producer) throws MQClientException {
        producer.setNamesrvAddr(broker.nameServerAddress());
        producer.setSendMsgTimeout(10_000);
        producer.start();
        return producer;
    }

    private static List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        for (Mark mark : Mark.values()) {
            for (Content content : Content.values()) {
                if (!content.large || mark == Mark.MS) {
                    samples.add(new Sample(mark, content));
                }
            }
        }
        return samples;
    }

    private record Sample(Mark mark, Content content) {
        Message message(String topic, String number) {
            Message message = undelayed(topic, number);
            mark.change.accept(message);
            return message;
        }

        Message undelayed(String topic, String number) {
            Message message = new Message(topic, ("body " + number).getBytes(UTF_8));
            message.putUserProperty(NUMBER, number);
            content.change.accept(message);
            return message;
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // Functions without state.
    private enum Mark {
        LEVEL_1(1000, m -> m.setDelayTimeLevel(1)),
        LEVEL_3(2000, m -> m.setDelayTimeLevel(3)),
        LEVEL_ABOVE_THE_LAST(2000, m -> m.setDelayTimeLevel(99)),
        LEVEL_BEFORE_MS(1000, m -> {
            m.setDelayTimeLevel(2);
            m.setDelayTimeMs(3_600_000);
        }),
        SEC(1000, m -> m.setDelayTimeSec(1)),
        MS(1500, m -> m.setDelayTimeMs(1500)),
        SEC_BEFORE_MS(1000, m -> {
            m.setDelayTimeSec(1);
            m.setDelayTimeMs(3_600_000);
        }),
        DELIVER_MS(1200, m -> m.setDeliverTimeMs(System.currentTimeMillis() + 1200)),
        START_DELIVER_TIME(
                900, m -> m.putUserProperty("__STARTDELIVERTIME", Long.toString(System.currentTimeMillis() + 900)));

        final long leastMs;
        final Consumer<Message> change;

        Mark(long leastMs, Consumer<Message> change) {
            // Marks of a point in time are set before the test takes the time.
            this.leastMs = leastMs - (name().endsWith("_MS") || name().startsWith("START") ? 200 : 0);
            this.change = change;
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // Functions without state.
    private enum Content {
        PLAIN(m -> {}),
        TAG(m -> m.setTags("cancel")),
        TAG_UNICODE(m -> m.setTags("标签-🎉")),
        KEY(m -> m.setKeys("order-4711")),
        KEYS(m -> m.setKeys(List.of("order-4711", "user-7", "語"))),
        KEY_LONG(m -> m.setKeys("k".repeat(300))),
        PROPERTIES(m -> {
            m.putUserProperty("userId", "7");
            m.putUserProperty("userid", "8");
            m.putUserProperty("UserID", "9");
        }),
        PROPERTIES_OF_OURS(m -> {
            m.putUserProperty("id", "mine");
            m.putUserProperty("dueTime", "soon");
            m.putUserProperty("topic", "t");
            m.putUserProperty("traceparent", "no context");
        }),
        PROPERTIES_OF_HTTP(m -> {
            m.putUserProperty("Host", "a");
            m.putUserProperty("te", "b");
            m.putUserProperty("Expect", "c");
            m.putUserProperty("ce_id", "d");
            m.putUserProperty("Content-Type", "application/json");
        }),
        PROPERTIES_ODD(m -> {
            m.putUserProperty("a b:c", " x ");
            m.putUserProperty("名称", "值 😀");
            m.putUserProperty("json", "{\n\t\"a\": \"\\\\\"\r\n}");
            m.putUserProperty("$_.-/", "\u0000\u007f");
        }),
        PROPERTIES_MANY(m -> {
            for (int i = 0; i < 100; i++) {
                m.putUserProperty("property-" + i, "x".repeat(100));
            }
        }),
        PROPERTY_LONG(m -> m.putUserProperty("long", "語".repeat(4000))),
        FLAG(m -> m.setFlag(7)),
        FLAG_NEGATIVE(m -> m.setFlag(Integer.MIN_VALUE)),
        WAIT(m -> m.setWaitStoreMsgOK(false)),
        BUYER(m -> m.setBuyerId("buyer-1")),
        INSTANCE(m -> m.setInstanceId("instance-1")),
        PRIORITY(m -> m.setPriority(3)),
        SHARDING_KEY(m -> m.putUserProperty("__SHARDINGKEY", "order-4711")),
        ONE_BYTE(m -> m.setBody(new byte[] {0})),
        ALL_BYTES(m -> m.setBody(bytes(256, i -> i))),
        NO_UTF_8(m -> m.setBody(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80, (byte) 0xff})),
        EMOJI(m -> m.setBody("\uFEFF{\"x\":\"😀\u0000\"}".getBytes(UTF_8))),
        LARGE_TEXT(m -> m.setBody("語".repeat(MIB / 3).getBytes(UTF_8))),
        LARGE_BYTES(m -> m.setBody(random(100_000)));

        final boolean large = name().startsWith("LARGE");
        final Consumer<Message> change;

        Content(Consumer<Message> change) {
            this.change = change;
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // Functions without state.
    private enum Refused {
        ORDER_OF_A_BROKER(
                "headers.INNER_MULTI_DISPATCH is reserved", m -> m.putUserProperty("INNER_MULTI_DISPATCH", "x")),
        OF_A_REQUEST("headers.CORRELATION_ID is reserved", m -> MessageAccessor.putProperty(m, "CORRELATION_ID", "x")),
        PROPERTIES_TOO_LONG("headers is longer than 16384 bytes", m -> m.putUserProperty("x", "x".repeat(16_384))),
        TOO_MANY("headers has more than 128 entries", m -> {
            for (int i = 0; i < 130; i++) {
                m.putUserProperty("p" + i, "x");
            }
        }),
        OF_THE_SERVER("headers.mykit-delay-id is reserved", m -> m.putUserProperty("mykit-delay-id", "x")),
        TAG_OF_TWO("a RocketMQ tag (subtopic) must not contain ||", m -> m.setTags("a||b")),
        TAG_WITH_BLANKS("subtopic begins or ends with white space", m -> m.setTags(" a")),
        TAG_LONG("subtopic is longer than 250", m -> m.setTags("x".repeat(251))),
        ANOTHER_CHANNEL("target is not allowed here: the channel console", m -> m.setTopic("elsewhere")),
        RETRY_TOPIC("RocketMQ reserves the topic %DLQ%g", m -> m.setTopic("%DLQ%g")),
        EMPTY("the message body length is zero", m -> m.setBody(new byte[0])),
        NOT_A_NUMBER(
                "the property TIMER_DELAY_MS is no number",
                m -> MessageAccessor.putProperty(m, "TIMER_DELAY_MS", "soon")),
        TOO_LATE("the property TIMER_DELAY_MS is later than the year 9999", m -> m.setDelayTimeMs(Long.MAX_VALUE));

        final String why;
        final Consumer<Message> change;

        Refused(String why, Consumer<Message> change) {
            this.why = why;
            this.change = change;
        }
    }

    /** How a message is sent; {@code told} gets the result, if there is one. */
    private enum Way {
        SYNC {
            @Override
            void send(DefaultMQProducer producer, Message message, Consumer<SendResult> told) throws Exception {
                told.accept(producer.send(message));
            }
        },
        SYNC_TIMEOUT {
            @Override
            void send(DefaultMQProducer producer, Message message, Consumer<SendResult> told) throws Exception {
                told.accept(producer.send(message, 20_000));
            }
        },
        CALLBACK {
            @Override
            void send(DefaultMQProducer producer, Message message, Consumer<SendResult> told) throws Exception {
                producer.send(message, new Told(told, Throwable::printStackTrace));
            }
        },
        CALLBACK_TIMEOUT {
            @Override
            void send(DefaultMQProducer producer, Message message, Consumer<SendResult> told) throws Exception {
                producer.send(message, new Told(told, Throwable::printStackTrace), 20_000);
            }
        },
        ONEWAY {
            @Override
            void send(DefaultMQProducer producer, Message message, Consumer<SendResult> told) throws Exception {
                producer.sendOneway(message);
            }
        },
        BATCH {
            @Override
            void send(DefaultMQProducer producer, Message message, Consumer<SendResult> told) throws Exception {
                told.accept(producer.send(List.of(message)));
            }
        },
        BATCH_CALLBACK {
            @Override
            void send(DefaultMQProducer producer, Message message, Consumer<SendResult> told) throws Exception {
                producer.send(List.of(message), new Told(told, Throwable::printStackTrace));
            }
        };

        abstract void send(DefaultMQProducer producer, Message message, Consumer<SendResult> told) throws Exception;
    }

    private record Told(Consumer<SendResult> success, Consumer<Throwable> failure) implements SendCallback {
        @Override
        public void onSuccess(SendResult result) {
            success.accept(result);
        }

        @Override
        public void onException(Throwable e) {
            failure.accept(e);
        }
    }

    /** What a consumer compares. */
    private record Seen(String tags, String keys, int flag, int body, int size, Map<String, String> properties) {
        static Seen of(MessageExt message) {
            Map<String, String> properties = new TreeMap<>(message.getProperties());
            properties.keySet().removeAll(OF_BROKERS);
            return new Seen(
                    message.getTags(),
                    message.getKeys(),
                    message.getFlag(),
                    Arrays.hashCode(message.getBody()),
                    message.getBody().length,
                    properties);
        }
    }

    private final class Reader implements AutoCloseable {
        final List<MessageExt> messages = new CopyOnWriteArrayList<>();
        private final RocketMqReader reader;

        Reader(String topic) {
            reader = new RocketMqReader(broker.nameServerAddress(), topic, RocketMqAccess.OPEN, "", messages::add);
        }

        /** So many messages by their numbers. Further copies of one have its message id. */
        Map<String, MessageExt> await(int count) {
            Map<String, MessageExt> byNumber = new TreeMap<>();
            org.awaitility.Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                messages.forEach(message -> byNumber.putIfAbsent(message.getUserProperty(NUMBER), message));
                assertThat(byNumber.keySet()).hasSize(count);
            });
            assertThat(messages).allSatisfy(message -> assertThat(message.getMsgId())
                    .isEqualTo(byNumber.get(message.getUserProperty(NUMBER)).getMsgId()));
            return byNumber;
        }

        /** Further copies of one message have its id. */
        Set<String> ids() {
            return messages.stream().map(MessageExt::getMsgId).collect(toSet());
        }

        @Override
        public void close() {
            reader.close();
        }
    }

    private static byte[] bytes(int size, java.util.function.IntUnaryOperator value) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) value.applyAsInt(i);
        }
        return bytes;
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(7).nextBytes(bytes);
        return bytes;
    }
}
