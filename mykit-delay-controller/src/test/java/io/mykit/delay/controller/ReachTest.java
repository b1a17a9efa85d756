package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.access.CallerLimits;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.audit.Audit;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.controller.scope.Reach;
import io.mykit.delay.controller.scope.ScopedRoutes;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each call is confined to the namespace of its caller, has no names, or is closed. A new call is closed until its reach is decided. */
class ReachTest {
    private static final Principal SHOP = new Principal(
            "token 1 of shop", List.of(Role.OPERATOR), "shop", Optional.of("1"), Optional.empty(), CallerLimits.NONE);

    @Test
    void theseCallsAreClosedToTokensOfANamespace() {
        Set<String> closed = OpenApiTest.routes().stream()
                .filter(route -> Reach.of(route) == Reach.CLOSED)
                .map(Route::name)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(closed)
                .containsExactly(
                        "audit",
                        "changeNamespace",
                        "changeToken",
                        "changeTopic",
                        "clearAll",
                        "config",
                        "createNamespace",
                        "createToken",
                        "deleteNamespace",
                        "deleteToken",
                        "due",
                        "log",
                        "metrics",
                        "namespaces",
                        "operations",
                        "overview",
                        "restore",
                        "series",
                        "setLog",
                        "setPolicy",
                        "stopOperation",
                        "tokens");
    }

    @Test
    void eachConfinedCallHasAHandlerOfItsOwnAndEachClosedOneIsRefused() {
        StubBackend stub = new StubBackend("off");
        DelayHttpServer server = new DelayHttpServer(TestConfig.open(), stub.backend(), stub.registry);
        Audit audit = new Audit(InstantSource.system(), StubAudit.trail(), call -> {});
        ScopedRoutes scoped = new ScopedRoutes(names -> server.scoped(TestConfig.open(), stub.backend(), audit, names));
        try {
            for (Route route : server.routes(TestConfig.open(), stub.backend(), audit)) {
                assertThat(scoped.of(route, Principal.OPERATOR)).isSameAs(route);
                switch (Reach.of(route)) {
                    case SAME -> assertThat(scoped.of(route, SHOP)).isSameAs(route);
                    case CLOSED ->
                        assertThat(refusal(scoped, route)).as(route.pattern()).isEqualTo(ErrorCode.FORBIDDEN);
                    case CONFINED -> {
                        Route own = scoped.of(route, SHOP);
                        assertThat(own.handler()).as(route.pattern()).isNotSameAs(route.handler());
                        assertThat(own.access()).isEqualTo(route.access());
                        assertThat(own.pattern()).isEqualTo(route.pattern());
                        assertThat(own.methods()).isEqualTo(route.methods());
                        assertThat(scoped.of(route, SHOP)).as("made once").isSameAs(own);
                    }
                }
            }
        } finally {
            server.close();
        }
    }

    private static ErrorCode refusal(ScopedRoutes scoped, Route route) {
        try {
            Route unused = scoped.of(route, SHOP);
            return null;
        } catch (DelayException refused) {
            return refused.code();
        }
    }
}
