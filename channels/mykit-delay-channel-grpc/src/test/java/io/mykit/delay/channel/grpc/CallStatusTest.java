package io.mykit.delay.channel.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.vertx.core.MultiMap;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallStatusTest {
    @ParameterizedTest
    @CsvSource({
        "0, OK", "1, CANCELLED", "3, INVALID_ARGUMENT", "5, NOT_FOUND", "8, RESOURCE_EXHAUSTED", "12, UNIMPLEMENTED",
        "14, UNAVAILABLE", "16, UNAUTHENTICATED", "17, UNKNOWN", "99, UNKNOWN", "-1, UNKNOWN", "x, UNKNOWN"
    })
    void theNumbersAreThoseOfGrpc(String number, StatusCode code) {
        assertThat(status("grpc-status", number).code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({"a%20b, a b", "%C3%A9, é", "100%, 100%", "%zz, %zz", "a%0Ab, a\\nb", "%E2%80%AEx, \\u202ex", "é, é"})
    void theTextIsOneVisibleLine(String encoded, String text) {
        assertThat(status("grpc-status", "5", "grpc-message", encoded).text()).isEqualTo(text);
    }

    @Test
    void anAnswerWithoutAStatusFails() {
        assertThat(CallStatus.of(MultiMap.caseInsensitiveMultiMap()).fate(false))
                .isEqualTo(Delivery.failed("UNKNOWN: the answer has no grpc-status"));
    }

    @Test
    void aProxyWithoutARouteIsNoVerdict() {
        assertThat(CallStatus.ofHttp(404, "text/html").fate(false))
                .isEqualTo(Delivery.failed("UNKNOWN: no gRPC: HTTP 404, content-type text/html"));
        assertThat(CallStatus.ofHttp(503, null).fate(false))
                .isEqualTo(Delivery.unavailable("UNAVAILABLE: no gRPC: HTTP 503, without content-type"));
        assertThat(CallStatus.ofHttp(503, null).fate(true).kind()).isEqualTo(Delivery.Kind.FAILED);
    }

    @Test
    void aLongTextAndALongWaitAreCut() {
        CallStatus status =
                status("grpc-status", "14", "grpc-message", "x".repeat(9000), "grpc-retry-pushback-ms", "9".repeat(18));
        assertThat(status.text()).hasSize(200);
        assertThat(status.pushback()).contains(Duration.ofHours(24));
        assertThat(status("grpc-status", "14", "grpc-retry-pushback-ms", "9".repeat(19))
                        .pushback())
                .isEmpty();
    }

    private static CallStatus status(String... fields) {
        MultiMap map = MultiMap.caseInsensitiveMultiMap();
        for (int i = 0; i < fields.length; i += 2) {
            map.add(fields[i], fields[i + 1]);
        }
        return CallStatus.of(map);
    }
}
