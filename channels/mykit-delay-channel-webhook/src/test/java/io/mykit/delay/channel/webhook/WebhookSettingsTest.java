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
                "url               | ftp://a.com             | url must begin with http://, https:// or service://",
                "secret            | whsec_short             | secret must be whsec_ and the Base64 of 24 to 64 bytes;"
                        + " several with blanks between",
                "targets           | a.com                   | targets must be patterns such as https://*.example.com,"
                        + " http://10.0.0.0/8, service://shop or *; a.com is none",
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
                "circuit-pause     | 1h                      | circuit-pause must be from 1ms to 10m",
                "services          | shop                    | services must be services with their URLs, such as"
                        + " shop=http://10.0.0.7:8080 http://10.0.0.8:8080, stock=https://stock.internal",
                "services          | shop=                   | services must be services with their URLs, such as"
                        + " shop=http://10.0.0.7:8080 http://10.0.0.8:8080, stock=https://stock.internal",
                "services          | a b=http://a            | services has no name of a service: 1 to 100 letters,"
                        + " digits, hyphens, underscores and dots; the first and the last are letters or digits",
                "services          | a=http://a,A=http://b   | services has the service a twice",
                "services          | a=http://a/x            | services has an instance with a path; the path is in the"
                        + " URL of the topic",
                "services          | a=service://b           | services has an instance that does not begin with http://"
                        + " or https://",
                "services          | a=http://u:p@b          | services must not have a user or a password; a header can"
                        + " carry them",
                "services          | a=http://b:0            | services has a port that is not from 1 to 65535",
                "discovery         | eureka                  | eureka-url is needed because webhook.discovery is eureka",
                "eureka-url        | u:secret@host           | eureka-url must begin with http://, https:// or"
                        + " service://",
                "eureka-url        | service://eureka        | eureka-url must begin with http:// or https://",
                "eureka-url        | http://u:%zz@host/      | eureka-url has an account with a % that begins no escape",
                "eureka-url        | ,                       | eureka-url must have a URL, such as"
                        + " http://eureka:8761/eureka",
                "dns-domain        | a b                     | dns-domain has no host that is a DNS name (letters, digits,"
                        + " hyphens, dots) or an address",
                "dns-domain        | 10.0.0.1                | dns-domain must be a name and no address",
                "dns-port          | 0                       | dns-port must be from 1 to 65535",
                "dns-server        | dns.internal:53         | dns-server must be an address and a port, such as"
                        + " 127.0.0.1:8600",
                "dns-server        | 127.0.0.1               | dns-server must be an address and a port, such as"
                        + " 127.0.0.1:8600",
                "url               | service://shop/x        | url has the service shop, which webhook.services does not"
                        + " have, and webhook.discovery is none",
                "url               | service://shop:80/      | url must not have a port: the instances of a service have"
                        + " their own"
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
                        "orders.url must begin with http://, https:// or service://",
                        "shop/*.secret must be whsec_ and the Base64 of 24 to 64 bytes; several with blanks between");
    }

    @Test
    void theServiceOfEachUrlIsKnown() {
        assertThat(problems("topics.orders.url", "service://shop/x"))
                .containsExactly("orders.url has the service shop, which webhook.services does not have, and"
                        + " webhook.discovery is none");
        assertThat(problems("url", "service://Shop/x", "services", "shop=http://10.0.0.7:8080"))
                .isEmpty();
        assertThat(problems("url", "service://shop/x", "discovery", "dns")).isEmpty();
        assertThat(problems(
                        "url",
                        "service://shop/x",
                        "discovery",
                        "eureka",
                        "eureka-url",
                        "http://u:p%40ss@a:8761/eureka, http://b/"))
                .isEmpty();
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
