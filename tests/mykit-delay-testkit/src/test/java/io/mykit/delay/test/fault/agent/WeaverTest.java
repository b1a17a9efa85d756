package io.mykit.delay.test.fault.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.time.ClusterClock;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WeaverTest {
    private static final long AHEAD_MS = 300_000;
    private static final long MARGIN_MS = 10_000;

    @AfterEach
    void right() {
        WrongClock.setAheadMs(0);
    }

    @Test
    void theServersClockIsAhead() throws Exception {
        WrongClock.setAheadMs(AHEAD_MS);
        InstantSource clock =
                (InstantSource) woven(Set.of()).getDeclaredConstructor().newInstance();
        long beforeMs = System.currentTimeMillis();
        assertThat(clock.millis())
                .isBetween(beforeMs + AHEAD_MS - 1, System.currentTimeMillis() + AHEAD_MS + MARGIN_MS);
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
    private static Class<?> woven(Set<String> methods) throws Exception {
        return new Weaving(methods).loadClass(ClusterClock.class.getName());
    }

    /** Loads the classes of one package once more, woven: they may only be seen by each other. */
    private static final class Weaving extends ClassLoader {
        private static final String PACKAGE = ClusterClock.class.getPackageName() + ".";

        private final Weaver weaver;

        Weaving(Set<String> methods) {
            super(WeaverTest.class.getClassLoader());
            this.weaver = new Weaver(methods);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> known = findLoadedClass(name);
            if (known != null || !name.startsWith(PACKAGE)) {
                return known != null ? known : super.loadClass(name, resolve);
            }
            String path = name.replace('.', '/');
            try (InputStream in = WeaverTest.class.getResourceAsStream("/" + path + ".class")) {
                byte[] plain = in.readAllBytes();
                byte[] woven = weaver.transform(null, path, null, null, plain);
                byte[] bytes = woven == null ? plain : woven;
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
