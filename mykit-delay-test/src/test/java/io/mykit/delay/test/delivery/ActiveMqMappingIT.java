package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.activemq.ActiveMqChannelFactory;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import io.mykit.delay.test.server.SharedServers;
import jakarta.jms.DeliveryMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The fields that JMS has beyond those of every channel. */
class ActiveMqMappingIT {
    private final String url = SharedServers.activeMq().url();

    @Test
    void isPersistentWithTheIdAsCorrelationIdAndTheDueTimeAsLong() {
        String id = "訂單-😀-\u0000-" + Messages.newTopic();
        Map<String, Object> properties = arrivalOf(id, 0).properties();

        assertThat(properties)
                .containsEntry("JMSCorrelationID", id)
                .containsEntry("id", id)
                .containsEntry("JMSDeliveryMode", DeliveryMode.PERSISTENT)
                .containsEntry("subtopic", "s\u0000😀")
                .containsEntry("dueTime", 1_900_000_000_123L)
                .hasEntrySatisfying("dueTime", dueTime -> assertThat(dueTime).isInstanceOf(Long.class));
    }

    @Test
    void onlyAnExpeditedPriorityDiffersFromTheNormalOne() {
        assertThat(arrivalOf("a", 0).properties()).containsEntry("JMSPriority", 4);
        assertThat(arrivalOf("b", 3).properties()).containsEntry("JMSPriority", 4);
        assertThat(arrivalOf("c", 9).properties()).containsEntry("JMSPriority", 9);
    }

    /** The fields and types that a consumer of 1.x reads into its {@code JobMsg}; the properties stay. */
    @Test
    void theFormatJobIsTheJsonOfTheWholeMessage() {
        Arrival arrival = arrivalOf("20", 0, Map.of("activemq.broker-url", url, "activemq.format", "job"));
        JSONObject job = JSON.parseObject(arrival.body());
        assertThat(job.keySet())
                .containsExactly("bizKey", "body", "createTime", "delay", "id", "status", "subtopic", "topic", "ttl");
        assertThat(job)
                .containsEntry("bizKey", "k")
                .containsEntry("body", "body")
                .containsEntry("createTime", 1_900_000_000_000L)
                .containsEntry("delay", 1000)
                .containsEntry("id", "20")
                .containsEntry("status", 2)
                .containsEntry("subtopic", "s\u0000😀")
                .containsEntry("ttl", 0);
        assertThat(job.getString("topic")).startsWith("topic-");
        assertThat(arrival.properties())
                .containsEntry("id", "20")
                .containsEntry("bizKey", "k")
                .containsEntry("dueTime", 1_900_000_000_123L)
                .containsEntry("JMSCorrelationID", "20");
    }

    @Test
    void headersArriveAsPropertiesAndBytesAsABytesMessage() {
        String topic = Messages.newTopic();
        Arrival arrival = arrivalOf(withHeadersAndBytes(topic), Map.of("activemq.broker-url", url));
        assertThat(arrival.body()).isEqualTo("\u00e9\u0000x");
        assertThat(arrival.properties())
                .containsEntry("trace_id", "\u4e2d \uD83D\uDE00")
                .containsEntry("dueTime", 1_900_000_000_123L);
    }

    /** The bytes are UTF-8, so that the inbox can show them as a text. */
    private static DelayMessage withHeadersAndBytes(String topic) {
        return Messages.message("extras-" + topic, topic, "s", "k", "w6kAeA==")
                .withExtras(ExtrasBuilder.extras()
                        .binary(true)
                        .headers(Map.of("trace-id", "\u4e2d \uD83D\uDE00"))
                        .build());
    }

    private Arrival arrivalOf(String id, int priority) {
        return arrivalOf(id, priority, Map.of("activemq.broker-url", url));
    }

    private static Arrival arrivalOf(String id, int priority, Map<String, String> settings) {
        String topic = Messages.newTopic();
        DelayMessage message = MessageBuilder.withId(id)
                .topic(topic)
                .subtopic("s\u0000😀")
                .bizKey("k")
                .body("body")
                .created(1_900_000_000_000L)
                .delay(1000)
                .due(1_900_000_000_123L)
                .priority(priority)
                .build();
        return arrivalOf(message, settings);
    }

    private static Arrival arrivalOf(DelayMessage message, Map<String, String> settings) {
        String topic = message.topic();
        Map<String, String> patient = new HashMap<>(settings);
        patient.put("delivery.send-timeout", "10s");
        try (DeliveryChannel channel = ChannelConfig.open(new ActiveMqChannelFactory(), patient);
                Inbox inbox = ActiveMqInbox.ofQueue(SharedServers.activeMq().url(), topic)) {
            assertThat(channel.deliver(topic, List.of(message))).containsExactly(Delivery.DELIVERED);
            return inbox.await(1, Duration.ofSeconds(10)).get(0);
        }
    }
}
