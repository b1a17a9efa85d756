package io.mykit.delay.test.bridge;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;

/** A real store or index whose calls a test can hold up. */
final class Views {
    private Views() {}

    /** The work around a call. */
    interface Around {
        /** @return the caller's result */
        Object call(Callable<Object> call, String method) throws Exception;
    }

    static <T> T of(Class<T> type, T real, Around around) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> around.call(
                        () -> {
                            try {
                                return method.invoke(real, arguments);
                            } catch (InvocationTargetException e) {
                                throw (Exception) e.getCause();
                            }
                        },
                        method.getName())));
    }
}
