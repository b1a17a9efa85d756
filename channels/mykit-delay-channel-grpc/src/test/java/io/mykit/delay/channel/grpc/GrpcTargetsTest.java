package io.mykit.delay.channel.grpc;

import static io.mykit.delay.channel.grpc.TestChannels.message;
import static io.mykit.delay.channel.grpc.TestChannels.open;
import static io.mykit.delay.channel.grpc.TestChannels.openFor;
import static io.mykit.delay.channel.grpc.TestChannels.send;
import static io.mykit.delay.channel.grpc.TestChannels.toMethod;
import static io.mykit.delay.channel.grpc.TestChannels.toTarget;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrpcTargetsTest {
    private static final Map<String, String> GOOD =
            Map.of("host", "a.com:9090", "service", "shop.Orders", "method", "Cancel");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host=            | target.host is missing",
                "service=         | target.service is missing",
                "method=          | target.method is missing",
                "url=http://a/    | target.url is unknown: the target of a call has host, service, method and format",
                "format=XML       | target.format must be PROTOBUF or JSON",
                "host=a.com       | target.host has no port",
                "host=a.com:0     | target.host has a port that is not from 1 to 65535",
                "host=a.com:99999 | target.host has a port that is not from 1 to 65535",
                "host=http://a:80 | target.host must begin with grpc://, grpcs:// or service://",
                "host=a.com:1/x   | target.host must not have a path: service and method have fields of their own",
                "host=a.com:1?x   | target.host must not have a path: service and method have fields of their own",
                "host=u:p@a.com:1 | target.host must not have a user or a password; a header can carry them",
                "host=127.1:9090  | target.host has no host that is a DNS name (letters, digits, hyphens, dots) or an"
                        + " address",
                "service=/shop    | target.service must be the full name of a service, such as shop.Orders: letters,"
                        + " digits, underscores, and dots between the parts, at most 255",
                "service=shop..O  | target.service must be the full name of a service, such as shop.Orders: letters,"
                        + " digits, underscores, and dots between the parts, at most 255",
                "method=a/b       | target.method must be the name of a method, such as Cancel: letters, digits and"
                        + " underscores, at most 128"
            })
    void aBadTargetIsRefusedAtThePush(String change, String objection) {
        String[] pair = change.split("=", 2);
        Map<String, String> target = new TreeMap<>(GOOD);
        if (pair[1].isBlank()) {
            target.remove(pair[0].strip());
        } else {
            target.put(pair[0].strip(), pair[1].strip());
        }
        try (AsyncDeliveryChannel channel = open("targets", "*")) {
            assertThat(channel.objection(toTarget("1", pairs(target)))).contains(objection);
        }
    }

    @Test
    void namesHaveABound() {
        try (AsyncDeliveryChannel channel = open("targets", "*")) {
            assertThat(channel.objection(toMethod("1", "a.com:1", "m".repeat(128))))
                    .isEmpty();
            assertThat(channel.objection(toMethod("1", "a.com:1", "m".repeat(129))))
                    .isPresent();
            assertThat(channel.objection(
                            toTarget("1", "host", "a.com:1", "service", "s".repeat(256), "method", "Cancel")))
                    .isPresent();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.7:9090,          grpc://10.0.0.7:9090",
        "grpcs://Orders.io:443,  grpcs://orders.io:443",
        "'[::1]:9090',           grpc://[::1]:9090",
        "service://shop,         service://shop"
    })
    void aTargetThatNoPatternAllowsIsForbiddenAtThePush(String host, String receiver) {
        try (AsyncDeliveryChannel channel = open("targets", "grpc://*.example.com")) {
            assertThat(channel.objection(toMethod("1", host, "Cancel"))).isEmpty();
            assertThat(channel.forbiddenTarget(toMethod("1", host, "Cancel")))
                    .contains("target.host is not allowed: no pattern of grpc.targets allows it; an operator can add a"
                            + " pattern for " + receiver);
            assertThat(channel.destination(toMethod("1", host, "Cancel"))).contains(receiver);
            assertThat(channel.forbiddenTarget(toMethod("1", "a.example.com:1", "Cancel")))
                    .isEmpty();
        }
    }

    @Test
    void aTopicWithoutAHostNeedsATarget() {
        try (AsyncDeliveryChannel channel = open("targets", "*")) {
            assertThat(channel.objection(message("1")))
                    .contains("target is missing, and host, service and method of the topic are not configured"
                            + " (grpc.topics.calls.host, or grpc.host, and so on)");
        }
        try (AsyncDeliveryChannel channel = openFor("a.com:9090")) {
            assertThat(channel.objection(message("1"))).isEmpty();
            assertThat(channel.destination(message("1"))).contains("grpc://a.com:9090");
            assertThat(channel.forbiddenTarget(toMethod("1", "a.com:9090", "Cancel")))
                    .contains("target.host is not allowed: grpc.targets is empty; an operator can add a pattern for"
                            + " grpc://a.com:9090");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "64:ff9b::7f00:1"})
    void aNameThatPointsToAClosedAddressIsNotConnected(String address) throws Exception {
        try (CallServer server = CallServer.answering(Status.OK);
                AsyncDeliveryChannel channel =
                        open(host -> List.of(InetAddress.getAllByName(address)), "targets", "grpc://*")) {
            assertThat(send(channel, toMethod("1", "rebound.example:" + server.port(), "Cancel")))
                    .isEqualTo(Delivery.failed("address not allowed: grpc.targets does not open it"));
            assertThat(server.calls()).isEmpty();
        }
    }

    /** The name is looked up once a call: a second answer could be another one. */
    @Test
    void theConnectionGoesToTheAddressThatWasChecked() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        try (CallServer server = CallServer.answering(Status.OK);
                AsyncDeliveryChannel channel = open(
                        host -> {
                            asked.add(host);
                            return List.of(InetAddress.getByName(asked.size() == 1 ? "127.0.0.1" : "10.0.0.1"));
                        },
                        "targets",
                        "grpc://*.example grpc://127.0.0.0/8")) {
            assertThat(send(channel, toMethod("1", "a.example:" + server.port(), "Cancel")))
                    .isEqualTo(Delivery.DELIVERED);
            assertThat(server.calls().get(0).authority()).isEqualTo("a.example:" + server.port());
            assertThat(asked).containsExactly("a.example");
            assertThat(send(channel, toMethod("2", "a.example:" + server.port(), "Cancel")))
                    .isEqualTo(Delivery.failed("address not allowed: grpc.targets does not open it"));
            assertThat(server.calls()).hasSize(1);
        }
    }

    @Test
    void aServiceStandsForItsInstances() throws Exception {
        try (CallServer one = CallServer.answering(Status.OK);
                CallServer two = CallServer.answering(Status.OK);
                AsyncDeliveryChannel channel = open(
                        "targets",
                        "service://shop",
                        "services",
                        "shop=grpc://" + one.host() + " grpc://" + two.host())) {
            for (int i = 0; i < 4; i++) {
                assertThat(send(channel, toMethod("m" + i, "service://shop", "Cancel")))
                        .isEqualTo(Delivery.DELIVERED);
            }
            assertThat(one.calls()).hasSize(2);
            assertThat(two.calls()).hasSize(2);
        }
    }

    private static String[] pairs(Map<String, String> target) {
        List<String> pairs = new ArrayList<>();
        target.forEach((field, value) -> pairs.addAll(Arrays.asList(field, value)));
        return pairs.toArray(String[]::new);
    }
}
