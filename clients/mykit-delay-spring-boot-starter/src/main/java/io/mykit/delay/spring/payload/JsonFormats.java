package io.mykit.delay.spring.payload;

import io.mykit.delay.spring.PayloadFormat;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;

/** Chooses between the two versions of Jackson. A mapper of the application goes before one of our own. */
public final class JsonFormats {
    private static final boolean JACKSON_3 = isPresent("tools.jackson.databind.json.JsonMapper");
    private static final boolean JACKSON_2 = isPresent("com.fasterxml.jackson.databind.ObjectMapper");

    private JsonFormats() {}

    /** The format for an application with these beans. */
    public static PayloadFormat choose(BeanFactory beans) {
        PayloadFormat format = null;
        if (JACKSON_3) {
            format = Jackson3Format.ofBean(beans).orElse(null);
        }
        if (format == null && JACKSON_2) {
            format = Jackson2Format.ofBean(beans).orElse(null);
        }
        return format != null ? format : usual();
    }

    private static PayloadFormat usual() {
        if (JACKSON_3) {
            return Jackson3Format.usual();
        }
        return JACKSON_2 ? Jackson2Format.usual() : new TextFormat();
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, JsonFormats.class.getClassLoader());
    }
}
