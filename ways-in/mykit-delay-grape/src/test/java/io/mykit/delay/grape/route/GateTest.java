package io.mykit.delay.grape.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.access.CallerLimits;
import io.mykit.delay.access.KnownTokens;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GateTest {
    private static Gate gate(boolean open, String prefix, KnownTokens known) {
        return new Gate(
                open,
                prefix,
                new Tokens(ConfigLoader.load(Map.of()).http(), known),
                new TokenMeters(new SimpleMeterRegistry()));
    }

    private static Request request(String token) {
        List<Map.Entry<String, String>> headers =
                token.isEmpty() ? List.of() : List.of(Map.entry("authorization", "Bearer " + token));
        return new Request("GET", List.of(), "/", Query.NONE, headers, new byte[0], false, "127.0.0.1", then -> {});
    }

    /** A token whose text is its role, of this namespace. */
    static KnownTokens tokens(String namespace) {
        return new KnownTokens() {
            @Override
            public Found find(String token) {
                Optional<Role> role = Role.of(token);
                return role.isEmpty()
                        ? Found.refused(new DelayException(ErrorCode.UNAUTHORIZED, "the token is not known"))
                        : new Found(
                                new Principal(
                                        token,
                                        List.of(role.get()),
                                        namespace,
                                        Optional.of(token),
                                        Optional.empty(),
                                        CallerLimits.NONE),
                                null);
            }

            @Override
            public boolean any() {
                return true;
            }

            @Override
            public boolean anyHas(Role... roles) {
                return true;
            }
        };
    }

    private static Optional<ErrorCode> refusal(Gate gate, String token, GrapeRoute route) {
        DelayException refused = catchThrowableOfType(DelayException.class, () -> gate.admit(request(token), route));
        return Optional.ofNullable(refused).map(DelayException::code);
    }

    @Test
    void withoutTokensEachCallIsOpen() {
        Gate gate = gate(false, "grape/", KnownTokens.NONE);
        for (GrapeRoute route : GrapeRoute.values()) {
            assertThat(gate.admit(request(""), route)).isEqualTo(Principal.ANONYMOUS);
        }
    }

    @Test
    void withTokensEachCallNeedsOneOfItsRole() {
        Gate gate = gate(false, "grape/", tokens(Principal.ALL));
        for (GrapeRoute route : GrapeRoute.values()) {
            assertThat(refusal(gate, "", route)).contains(ErrorCode.UNAUTHORIZED);
            assertThat(refusal(gate, "x", route)).contains(ErrorCode.UNAUTHORIZED);
            assertThat(refusal(gate, "operator", route)).isEmpty();
            for (Role role : List.of(Role.PRODUCER, Role.CONSUMER, Role.VIEWER)) {
                boolean may = route.role().isEmpty() || route.role().get() == role;
                assertThat(refusal(gate, role.word(), route))
                        .as(route + " " + role)
                        .isEqualTo(may ? Optional.empty() : Optional.of(ErrorCode.FORBIDDEN));
            }
        }
    }

    @Test
    void anOpenPortAsksForNone() {
        Gate gate = gate(true, "grape/", tokens(Principal.ALL));
        assertThat(refusal(gate, "", GrapeRoute.TUBE_DELETE)).isEmpty();
        assertThat(refusal(gate, "x", GrapeRoute.PRODUCE)).isEmpty();
    }

    @Test
    void aTokenOfANamespaceIsGoodForItsTubes() {
        assertThat(refusal(gate(false, "shop/", tokens("shop")), "consumer", GrapeRoute.CONSUME))
                .isEmpty();
        for (String prefix : List.of("grape/", "shopping/", "sho/")) {
            assertThat(refusal(gate(false, prefix, tokens("shop")), "consumer", GrapeRoute.TUBE_LIST))
                    .as(prefix)
                    .contains(ErrorCode.FORBIDDEN);
        }
    }
}
