package io.mykit.delay.channel.activemq;

import java.util.Locale;
import java.util.Optional;

/** The type of a JMS property whose value came as a text. */
enum PropertyType {
    BOOLEAN,
    BYTE,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    STRING,
    /** A property that is there, without a value. */
    NULL;

    /** The type of this name, such as {@code int}. */
    static Optional<PropertyType> of(String name) {
        for (PropertyType type : values()) {
            if (type.toString().equals(name)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /**
     * The value that Java's {@code toString} of this type wrote.
     *
     * @return null for {@link #NULL}
     * @throws IllegalArgumentException if the text is none
     */
    Object read(String text) {
        return switch (this) {
            case BOOLEAN -> bool(text);
            case BYTE -> Byte.valueOf(text);
            case SHORT -> Short.valueOf(text);
            case INT -> Integer.valueOf(text);
            case LONG -> Long.valueOf(text);
            case FLOAT -> Float.valueOf(text);
            case DOUBLE -> Double.valueOf(text);
            case STRING -> text;
            case NULL -> none(text);
        };
    }

    private static Boolean bool(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return Boolean.valueOf(text);
    }

    private static Object none(String text) {
        if (!text.isEmpty()) {
            throw new IllegalArgumentException("not empty");
        }
        return null;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
