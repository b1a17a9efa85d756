package io.mykit.delay.channel.activemq;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.activemq.ActiveMqSettings.Destination;
import io.mykit.delay.channel.activemq.ActiveMqSettings.Format;
import io.mykit.delay.common.message.DelayMessage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageMappingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                " a",
                "a ",
                "a,b",
                "a.*",
                "a.>",
                "a?consumer.exclusive=true",
                "ActiveMQ.Advisory.Connection",
                "ActiveMQ.Scheduler.Management"
            })
    void objectsToDestinations(String topic) {
        assertThat(MessageMapping.objection(message(topic, 0))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ces", "a.b.c", "queue://a", "täg 😀", "a/b", "VirtualTopic.orders", "ActiveMQ.DLQ"})
    void takesOthersAsTheyAre(String topic) {
        assertThat(MessageMapping.objection(message(topic, 0))).isEmpty();
        assertThat(new MessageMapping(Destination.QUEUE, Format.BODY)
                        .destination(topic)
                        .getPhysicalName())
                .isEqualTo(topic);
    }

    @ParameterizedTest
    @CsvSource({"0,4", "1,4", "4,4", "5,5", "9,9"})
    void onlyExpeditedPrioritiesDiffer(int ours, int theirs) {
        assertThat(MessageMapping.priority(message("t", ours))).isEqualTo(theirs);
    }

    private static DelayMessage message(String topic, int priority) {
        return new DelayMessage("1", topic, "", "", "x", 0, 0, 0, priority, 0);
    }
}
