package io.mykit.delay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused of the keys of a connection, for each section that has them. */
class ConnectionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka",
                "kafka:",
                "kafka:0",
                "kafka:65536",
                "a:1;b:2",
                "a:1,,b:2",
                "a:1,",
                "PLAINTEXT://a:1",
                "::1:9092"
            })
    void anAddressWithoutHostAndPortIsRefused(String address) {
        assertThat(problems(Map.of("bootstrap-servers", address)))
                .containsExactly("bootstrap-servers: must be host:port, more than one separated by ,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka:9092", " a.example:1 , b:65535 ", "[::1]:9092"})
    void hostsAndPortsAreTaken(String addresses) {
        assertThat(problems(Map.of("bootstrap-servers", addresses))).isEmpty();
    }

    @Test
    void accountAndPasswordBelongTogetherAndCertificatesToTls() {
        assertThat(problems(Map.of("username", "u")))
                .containsExactly("username: must be set together with mykit.delay.kafka.password, which is missing");
        assertThat(problems(Map.of("password", "p")))
                .containsExactly("password: must be set together with mykit.delay.kafka.username, which is missing");
        assertThat(problems(Map.of("trust-store", "/t.pem")))
                .singleElement()
                .asString()
                .contains("mykit.delay.kafka.tls = true");
        assertThat(problems(Map.of("tls-verify-host", "false")))
                .singleElement()
                .asString()
                .contains("mykit.delay.kafka.tls = true");
    }

    @Test
    void accountAndTlsExcludeTheirProperties() {
        Map<String, String> given = Map.of(
                "username", "u",
                "password", "p",
                "tls", "true",
                "properties.security.protocol", "PLAINTEXT",
                "properties.sasl.jaas.config", "x",
                "properties.ssl.truststore.location", "/x",
                "properties.ssl.endpoint.identification.algorithm", "x");
        assertThat(problems(given))
                .hasSize(4)
                .anySatisfy(text -> assertThat(text).startsWith("properties.security.protocol: cannot be set"))
                .anySatisfy(text ->
                        assertThat(text).startsWith("properties.sasl.jaas.config: excludes mykit.delay.kafka.username"))
                .anySatisfy(text -> assertThat(text)
                        .startsWith("properties.ssl.truststore.location: excludes mykit.delay.kafka.tls"))
                .anySatisfy(text ->
                        assertThat(text).startsWith("properties.ssl.endpoint.identification.algorithm: excludes"));
    }

    @Test
    void aPropertyThatTheSectionSetsIsRefusedWithItsReason() {
        assertThat(problems(Map.of("properties.acks", "1")))
                .containsExactly("properties.acks: cannot be set: needs all");
        assertThat(problems(Map.of("properties.bootstrap.servers", "a:1")))
                .containsExactly(
                        "properties.bootstrap.servers: cannot be set: use mykit.delay.kafka.bootstrap-servers");
    }

    private static List<String> problems(Map<String, String> given) {
        List<String> problems = new ArrayList<>();
        ChannelProblems told = new ChannelProblems() {
            @Override
            public void add(ChannelKey<?> key, String allowed) {
                problems.add(key.name() + ": " + allowed);
            }

            @Override
            public void add(ChannelKey<?> key, String part, String allowed) {
                problems.add(key.name() + "." + part + ": " + allowed);
            }
        };
        TestConnection.of(given).check(told, Map.of("acks", "cannot be set: needs all"));
        return problems;
    }
}
