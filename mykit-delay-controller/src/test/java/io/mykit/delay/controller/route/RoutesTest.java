package io.mykit.delay.controller.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.access.Access;
import io.mykit.delay.controller.call.ParameterNames;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {
    private static final long SEED = 20261122;

    private final List<String> patterns = List.of(
            "/push",
            "/push/batch",
            "/get/{topic}",
            "/get/{topic}/ack",
            "/get/{topic}/{kind}",
            "/get/all/ack",
            "/get/{rest...}",
            "/job/{id...}",
            "/job/last",
            "/{any}/status");

    /** In any order of the list. */
    @ParameterizedTest
    @CsvSource({
        "/push,/push,{}",
        "/push/batch,/push/batch,{}",
        "/push%2Fbatch,/push/batch,{}",
        "/%70ush,/push,{}",
        "/get/a,/get/{topic},{topic=a}",
        "/get/,/get/{topic},{topic=}",
        "/get/a/ack,/get/{topic}/ack,{topic=a}",
        "/get//ack,/get/{topic}/ack,{topic=}",
        "/get/all/ack,/get/all/ack,{}",
        "/get/all/nack,/get/{topic}/{kind},'{topic=all, kind=nack}'",
        "/get/a/b,/get/{topic}/{kind},'{topic=a, kind=b}'",
        "/get/a/ack/,/get/{rest...},{rest=a/ack/}",
        "/get/a/b/c,/get/{rest...},{rest=a/b/c}",
        "/get/a%2Fb/ack,/get/{topic}/ack,{topic=a/b}",
        "/get/%2F/ack,/get/{topic}/ack,{topic=/}",
        "/get/a%2fb%2F/ack,/get/{topic}/ack,{topic=a/b/}",
        "/get/%E4%B8%AD%252F+/ack,/get/{topic}/ack,{topic=中%2F+}",
        "/get/a%2Fack,/get/{topic},{topic=a/ack}",
        "/job/a/b,/job/{id...},{id=a/b}",
        "/job/a%2Fb,/job/{id...},{id=a/b}",
        "/job/,/job/{id...},{id=}",
        "/job/last,/job/last,{}",
        "/job/last/,/job/{id...},{id=last/}",
        "/job/status,/job/{id...},{id=status}",
        "/x/status,/{any}/status,{any=x}",
    })
    void literalsWinOverParameters(String path, String pattern, String values) {
        List<String> shuffled = new ArrayList<>(patterns);
        Random random = new Random(SEED);
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(shuffled, random);
            Match match = routes(shuffled).find(path).orElseThrow();
            assertThat(match.name()).isEqualTo(pattern);
            assertThat(match.path().toString()).isEqualTo(values);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/push/,/push",
        "/Push,/push",
        "/psuh/batch,/push/batch",
        "/jobs/x,/job/{id...}",
        "/job,/job/{id...}",
        "/gett/a/b/c/d,/get/{topic}",
    })
    void aMisspeltPathIsLikeAKnownOne(String path, String near) {
        assertThat(routes(patterns).nearest(path)).contains(near);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "/", "//", "/x/y", "/nothing"})
    void otherPathsAreLikeNone(String path) {
        assertThat(routes(patterns).nearest(path)).isEmpty();
    }

    /** The HTTP decoder makes each byte of a request line one character. */
    @Test
    void rawBytesOfAPathAreUtf8() {
        String raw = new String("/get/订单/a%2Fb".getBytes(UTF_8), ISO_8859_1);
        assertThat(routes(patterns).find(raw).orElseThrow().path()).isEqualTo(Map.of("topic", "订单", "kind", "a/b"));
        assertThatThrownBy(() -> routes(patterns).find("/get/\u00e9/b")).hasMessage("the path is not UTF-8 at byte 6");
        assertThatThrownBy(() -> routes(patterns).find("/get/%ff%fe/b"))
                .hasMessage("the bytes of the path are not UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "/", "push", "/push/", "/PUSH", "//push", "/get", "/job", "/x/y", "/x/y/status"})
    void otherPathsAreNotFound(String path) {
        assertThat(routes(patterns).find(path)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/get/%zz/ack,malformed percent-encoding",
        "/job/%,malformed percent-encoding",
        "/job/a%20#b,# must be written as %23",
    })
    void badEscapesAreRefused(String path, String message) {
        assertThatThrownBy(() -> routes(patterns).find(path)).hasMessage(message);
    }

    @Test
    void routesOfOnePathDifferInTheirMethods() {
        Routes routes = new Routes(List.of(
                route("read", "/get/{topic}", Route.READ),
                route("take", "/get/{topic}", Route.POST),
                route("other", "/get/all", List.of(HttpMethod.DELETE))));

        Match match = routes.find("/get/a").orElseThrow();
        assertThat(match.route(HttpMethod.HEAD).orElseThrow().name()).isEqualTo("read");
        assertThat(match.route(HttpMethod.POST).orElseThrow().name()).isEqualTo("take");
        assertThat(match.route(HttpMethod.DELETE)).isEmpty();
        assertThat(match.allowed()).isEqualTo("GET, HEAD, POST");
        assertThat(routes.find("/get/all").orElseThrow().allowed()).isEqualTo("DELETE");
    }

    @ParameterizedTest
    @CsvSource({
        "/a/{x},/a/{x}",
        "/a/{x},/a/{y}",
        "/a/{x...},/a/{y...}",
        "/push,/push",
    })
    void routesThatServeTheSameRequestsAreRefused(String first, String second) {
        assertThatIllegalArgumentException().isThrownBy(() -> routes(List.of(first, second)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "push", "/a{x}", "/{x}b", "/{x...}/b", "/{}", "/{x", "/x}", "/{x}/{x}", "/a/{x-y}", "{x}"})
    void textThatIsNoPatternIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> routes(List.of(text)))
                .withMessage("no pattern of a path: " + text);
    }

    @Test
    void parametersHaveTheirNames() {
        Match match = routes(List.of("/{a}/x/{b}/{c...}")).find("/1/x/2/3/4").orElseThrow();
        assertThat(match.path()).isEqualTo(Map.of("a", "1", "b", "2", "c", "3/4"));
    }

    private static Routes routes(List<String> patterns) {
        return new Routes(patterns.stream()
                .map(pattern -> route(pattern, pattern, Route.POST))
                .toList());
    }

    private static Route route(String name, String pattern, List<HttpMethod> methods) {
        return new Route(name, Access.EVERYBODY, methods, pattern, ParameterNames.IGNORED, 0, call -> null);
    }
}
