package io.mykit.delay.core;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a signal does that comes while the process is stopping already; without this it does nothing. By reflection: the only
 * API for it is {@code sun.misc.Signal}, which every JDK exports (jdk.unsupported) and javac warns of.
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
                LOG.debug("A second {} does nothing: this JVM keeps that signal for itself", name, e);
            }
        }
    }
}
