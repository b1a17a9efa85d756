package io.mykit.delay.spring.payload;

import io.mykit.delay.spring.PayloadFormat;
import java.lang.reflect.Type;

/** An application without Jackson sends and handles texts and bytes only. */
record TextFormat() implements PayloadFormat {
    @Override
    public String write(Object payload) {
        throw refused(payload.getClass());
    }

    @Override
    public Object read(String body, Type type) {
        throw refused(type);
    }

    private static IllegalStateException refused(Type type) {
        return new IllegalStateException(
                "A payload of " + type.getTypeName() + " needs Jackson, or a bean of PayloadFormat");
    }
}
