package io.mykit.delay.client.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DelayInterceptorTest {
    private final DelayInterceptor<String, String> interceptor = new DelayInterceptor<>();

    @Test
    void aDelayedRecordGoesToTheServerWithItsTopic() {
        ProducerRecord<String, String> record = new ProducerRecord<>("orders", null, 5L, "key", "value");
        record.headers().add("Trace", "1".getBytes(UTF_8)).add("Trace", null);
        ProducerRecord<String, String> sent = interceptor.onSend(Delayed.delay(record, Duration.ofMinutes(30)));
        assertThat(sent.topic()).isEqualTo("mykit-delay-push");
        assertThat(sent.key()).isEqualTo("key");
        assertThat(sent.value()).isEqualTo("value");
        assertThat(sent.timestamp()).as("that of the event may be long ago").isNull();
        assertThat(headers(sent)).containsExactly("Trace=1", "Trace=null", "mykit-delay=1800000", "mykit-topic=orders");
        assertThat(record.headers().lastHeader("mykit-topic"))
                .as("the program's own record")
                .isNull();
    }

    @Test
    void aRecordWithADueTimeAndAnIdOfItsOwn() {
        ProducerRecord<String, String> record = new ProducerRecord<>("orders", "value");
        Delayed.delay(record, Duration.ofHours(1));
        Delayed.id(Delayed.at(record, Instant.ofEpochMilli(1_900_000_000_000L)), "first");
        Delayed.id(record, "order-4711");
        assertThat(headers(interceptor.onSend(record)))
                .containsExactly("mykit-due=1900000000000", "mykit-id=order-4711", "mykit-topic=orders");
    }

    /** The server reads them, and refuses what it cannot read. None may go to its own topic, which would be early. */
    @ParameterizedTest
    @ValueSource(
            strings = {"mykit-delay", "mykit-due", "mykit-dely", "MYKIT-DELAY", "Mykit-Due", "mykit-", "mykit-ttl"})
    void anyMarkLeadsToTheServer(String name) {
        for (byte[] value : new byte[][] {null, {}, {(byte) 0xff}, "-1".getBytes(UTF_8), "10s".getBytes(UTF_8)}) {
            ProducerRecord<String, String> record = new ProducerRecord<>("orders", null);
            record.headers().add(name, value);
            ProducerRecord<String, String> sent = interceptor.onSend(record);
            assertThat(sent.topic()).isEqualTo("mykit-delay-push");
            assertThat(sent.headers()
                            .lastHeader(name.toLowerCase(java.util.Locale.ROOT))
                            .value())
                    .isEqualTo(value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mykit", "mykitdelay", "x-mykit-delay", "mykit-delay-topic", "trace"})
    void allOtherRecordsAreLeftAlone(String name) {
        ProducerRecord<String, String> record = new ProducerRecord<>("orders", 3, 5L, "key", "value");
        record.headers().add(name, "1".getBytes(UTF_8));
        assertThat(interceptor.onSend(record)).isSameAs(record);
    }

    @Test
    void aRecordOfTheServersTopicIsLeftAlone() {
        ProducerRecord<String, String> record = new ProducerRecord<>("mykit-delay-push", "value");
        record.headers().add("mykit-topic", "orders".getBytes(UTF_8));
        assertThat(interceptor.onSend(record)).isSameAs(record);
    }

    /** The server refuses it by this name: it cannot deliver to a partition. */
    @Test
    void aChosenPartitionIsToldToTheServer() {
        ProducerRecord<String, String> record = new ProducerRecord<>("orders", 3, "key", "value");
        ProducerRecord<String, String> sent = interceptor.onSend(Delayed.delay(record, Duration.ZERO));
        assertThat(sent.partition()).isNull();
        assertThat(headers(sent)).contains("mykit-partition=3");
    }

    @Test
    void tellsItsListenerAndOutlivesIt() {
        List<String> topics = new ArrayList<>();
        DelayedRecordListener listener = topic -> {
            topics.add(topic);
            throw new IllegalStateException("a listener that fails, for the test");
        };
        interceptor.configure(
                Map.of(DelayInterceptor.LISTENER_CONFIG, listener, DelayInterceptor.TOPIC_CONFIG, " pushes "));
        ProducerRecord<String, String> sent =
                interceptor.onSend(Delayed.delay(new ProducerRecord<>("orders", "value"), Duration.ofSeconds(1)));
        assertThat(sent.topic()).isEqualTo("pushes");
        assertThat(interceptor.onSend(new ProducerRecord<>("invoices", "value")).topic())
                .isEqualTo("invoices");
        assertThat(topics).containsExactly("orders");
    }

    @Test
    void refusesSettingsOfNoUse() {
        assertThatThrownBy(() -> interceptor.configure(Map.of(DelayInterceptor.TOPIC_CONFIG, " ")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mykit.delay.push.topic");
        assertThatThrownBy(() -> interceptor.configure(Map.of(DelayInterceptor.LISTENER_CONFIG, "x")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mykit.delay.listener");
        assertThatThrownBy(() -> Delayed.delay(new ProducerRecord<>("orders", "value"), Duration.ofMillis(-1)))
                .hasMessage("delay is negative: PT-0.001S");
    }

    private static List<String> headers(ProducerRecord<?, ?> record) {
        List<String> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            headers.add(header.key() + "=" + (header.value() == null ? "null" : new String(header.value(), UTF_8)));
        }
        return headers;
    }
}
