package io.mykit.delay.core;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The action of a second signal, which comes while the process already stops. Without this class a second signal has no
 * effect. The code uses reflection, because the only API is {@code sun.misc.Signal}: every JDK exports it
 * (jdk.unsupported), and javac warns about it.
 */
final class SecondSignal {
    private static final Logger LOG = LoggerFactory.getLogger(SecondSignal.class);

    private SecondSignal() {}

    /** @param action must not block */
    static void handle(Runnable action) {
        for (String name : new String[] {"INT", "TERM"}) {
            try {
                Class<?> signal = Class.forName("sun.misc.Signal");
                Class<?> handler = Class.forName("sun.misc.SignalHandler");
                Object ours = Proxy.newProxyInstance(
                        handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                            action.run();
                            return null;
                        });
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
            } catch (ReflectiveOperationException | RuntimeException e) {
                LOG.debug("A second {} has no effect: this JVM reserves that signal", name, e);
            }
        }
    }
}
