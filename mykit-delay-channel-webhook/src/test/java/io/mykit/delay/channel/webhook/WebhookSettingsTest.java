package io.mykit.delay.channel.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookSettingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "url               | ftp://a.com             | url must begin with http:// or https://",
                "secret            | whsec_short             | secret must be whsec_ and the Base64 of 24 to 64 bytes;"
                        + " several with blanks between",
                "targets           | a.com                   | targets must be patterns such as https://*.example.com,"
                        + " http://10.0.0.0/8 or *; a.com is none",
                "targets           | http://10.0.0.0/33      | targets has a range whose number of bits is not from 0"
                        + " to 32",
                "success           | 2xx                     | success must be HTTP statuses such as 200-299,404",
                "dead-on           | 410,999                 | dead-on must be HTTP statuses such as 200-299,404",
                "timeout           | 11m                     | timeout must be from 1ms to 10m",
                "timeout           | 0                       | timeout must be from 1ms to 10m",
                "connect-timeout   | 999999999d              | connect-timeout must be from 1ms to 10m",
                "connect-timeout   | 0                       | connect-timeout must be from 1ms to 10m",
                "per-host          | 0                       | per-host must be from 1 to 100000",
                "max-in-flight     | -1                      | max-in-flight must be from 1 to 100000",
                "circuit-failures  | -1                      | circuit-failures must be from 0 to 100000",
                "circuit-pause     | 1h                      | circuit-pause must be from 1ms to 10m"
            })
    void aBadValueIsAProblemWithItsKey(String key, String value, String problem) {
        assertThat(problems("targets", "*", key, value)).containsExactly(problem);
    }

    @Test
    void aChannelInUseNeedsAUrlOrTargets() {
        assertThat(problems())
                .containsExactly("url is needed because a topic goes to webhook; or webhook.topics.<topic>.url, or"
                        + " mykit.delay.webhook.targets");
        assertThat(problems("url", "https://a.com/")).isEmpty();
        assertThat(problems("targets", "*")).isEmpty();
        assertThat(problems("topics.orders.url", "https://a.com/")).isEmpty();
        assertThat(problems("topics.orders.url", "ftp://a.com/", "topics.shop/*.secret", "x"))
                .containsExactly(
                        "orders.url must begin with http:// or https://",
                        "shop/*.secret must be whsec_ and the Base64 of 24 to 64 bytes; several with blanks between");
    }

    @Test
    void theAddressShowsNoPath() {
        ChannelSettings settings = TestChannels.settings("url", "https://a.com/secret?token=x");
        assertThat(new WebhookChannelFactory().address(settings)).contains("https://a.com:443");
    }

    @Test
    void theAddressHasEachReceiverOnce() {
        ChannelSettings settings = TestChannels.settings(
                "url", "https://a.com/", "topics.b.url", "https://b.com/x", "topics.c.url", "https://a.com/y");
        assertThat(new WebhookChannelFactory().address(settings)).contains("https://a.com:443, https://b.com:443");
        assertThat(new WebhookChannelFactory().address(TestChannels.settings("targets", "*")))
                .isEmpty();
    }

    private static List<String> problems(String... given) {
        List<String> problems = new ArrayList<>();
        ChannelSettings settings = TestChannels.settings(given);
        new WebhookChannelFactory().check(settings, new ChannelProblems() {
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
