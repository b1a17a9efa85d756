package io.mykit.delay.channel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrpcSettingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topics.a.host   | a.com:1   | a.service is needed: a call has a host, a service and a method; a.method is"
                        + " needed: a call has a host, a service and a method",
                "topics.a.method | Cancel    | a.host is needed: a call has a host, a service and a method; a.service is"
                        + " needed: a call has a host, a service and a method",
                "host            | http://a  | host must begin with grpc://, grpcs:// or service://",
                "service         | a b       | service must be the full name of a service, such as shop.Orders: letters,"
                        + " digits, underscores, and dots between the parts, at most 255",
                "method          | a.b       | method must be the name of a method, such as Cancel: letters, digits and"
                        + " underscores, at most 128",
                "targets         | https://a | targets must be patterns such as grpcs://*.example.com,"
                        + " grpc://10.0.0.0/8, service://shop or *; https://a is none",
                "services        | a=http://b | services must begin with grpc://, grpcs:// or service://",
                "host            | service://shop | host has the service shop, which grpc.services does not have, and"
                        + " grpc.discovery is none",
                "timeout         | 11m       | timeout must be from 1ms to 10m"
            })
    void aBadValueIsAProblemWithItsKey(String key, String value, String expected) {
        assertThat(String.join("; ", problems("targets", "*", key, value))).isEqualTo(expected);
    }

    @Test
    void aChannelInUseNeedsACallOrTargets() {
        assertThat(problems())
                .containsExactly("host is needed with service and method because a topic goes to grpc; or those of"
                        + " grpc.topics.<topic>, or mykit.delay.grpc.targets");
        assertThat(problems("targets", "*")).isEmpty();
        assertThat(problems("host", "a:1", "service", "s", "method", "m")).isEmpty();
        assertThat(problems("host", "a:1", "service", "s", "topics.x.method", "m", "topics.y*.method", "n"))
                .isEmpty();
    }

    @Test
    void theAddressHasEachReceiverOnce() {
        ChannelSettings settings =
                TestChannels.settings("host", "a:1", "topics.b.host", "grpcs://b:2", "topics.c.host", "grpc://a:1");
        assertThat(new GrpcChannelFactory().address(settings)).contains("grpc://a:1, grpcs://b:2");
        assertThat(new GrpcChannelFactory().address(TestChannels.settings("targets", "*")))
                .isEmpty();
    }

    private static List<String> problems(String... given) {
        List<String> problems = new ArrayList<>();
        new GrpcChannelFactory().check(TestChannels.settings(given), new ChannelProblems() {
            @Override
            public void add(ChannelKey<?> key, String allowed) {
                problems.add(key.name() + " " + allowed);
            }

            @Override
            public void add(ChannelKey<?> key, String topic, String allowed) {
                problems.add(topic + "." + key.name() + " " + allowed);
            }
        });
        return problems;
    }
}
