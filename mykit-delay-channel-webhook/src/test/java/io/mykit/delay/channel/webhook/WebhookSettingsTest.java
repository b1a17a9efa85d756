package io.mykit.delay.channel.webhook;

import static org.assertj.core.api.Assertions.assertThat;

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
                .containsExactly("url is needed because a topic goes to webhook; or mykit.delay.webhook.targets");
        assertThat(problems("url", "https://a.com/")).isEmpty();
        assertThat(problems("targets", "*")).isEmpty();
    }

    @Test
    void theAddressShowsNoPath() {
        ChannelSettings settings = TestChannels.settings("url", "https://a.com/secret?token=x");
        assertThat(new WebhookChannelFactory().address(settings)).contains("https://a.com:443");
    }

    private static List<String> problems(String... given) {
        List<String> problems = new ArrayList<>();
        ChannelSettings settings = TestChannels.settings(given);
        new WebhookChannelFactory().check(settings, (key, allowed) -> problems.add(key.name() + " " + allowed));
        return problems;
    }
}
