package io.mykit.delay.test.fault.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.time.ClusterClock;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WeaverTest {
    private static final long AHEAD_MS = 300_000;

    @AfterEach
    void right() {
        WrongClock.setAheadMs(0);
    }

    @Test
    void theServersClockIsAhead() throws Exception {
        WrongClock.setAheadMs(AHEAD_MS);
        InstantSource clock =
                (InstantSource) woven(Set.of()).getDeclaredConstructor().newInstance();
        assertThat(clock.millis() - System.currentTimeMillis())
                .isBetween(AHEAD_MS - 1, AHEAD_MS + Duration.ofSeconds(10).toMillis());
    }

    @Test
    void aWireDoesNoHarmUntilItIsArmed() throws Exception {
        InstantSource clock = (InstantSource)
                woven(Set.of("ClusterClock#millis")).getDeclaredConstructor().newInstance();
        Tripwire.arm(Point.after("ClusterClock#millis", "SomebodyElse"));
        assertThat(clock.millis()).isPositive();
        assertThat(clock.instant()).isNotNull();
    }

    @Test
    void aPointIsReadBack() {
        Point point = Point.before("Some#method", "Caller").at(3);
        assertThat(Point.parse(point.toString())).isEqualTo(point);
    }

    /** Another class than the one of this JVM, of the same name. */
    private static Class<?> woven(Set<String> methods) throws IOException {
        String path = ClusterClock.class.getName().replace('.', '/');
        try (InputStream in = WeaverTest.class.getResourceAsStream("/" + path + ".class")) {
            byte[] plain = in.readAllBytes();
            byte[] woven = new Weaver(methods).transform(null, path, null, null, plain);
            assertThat(woven).isNotNull();
            return new ClassLoader(WeaverTest.class.getClassLoader()) {
                Class<?> define() {
                    return defineClass(ClusterClock.class.getName(), woven, 0, woven.length);
                }
            }.define();
        }
    }
}
