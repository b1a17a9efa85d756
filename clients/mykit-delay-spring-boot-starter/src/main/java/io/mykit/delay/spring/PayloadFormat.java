package io.mykit.delay.spring;

import java.lang.reflect.Type;

/**
 * Writes and reads payloads that are neither a {@code String} nor a {@code byte[]}. By default it is JSON, by the ObjectMapper
 * of the application. A bean of this type replaces the default. Thread-safe.
 */
public interface PayloadFormat {
    /** The body for a payload. */
    String write(Object payload);

    /**
     * The payload of a body. Anything else that it throws counts as a failed attempt.
     *
     * @throws UnreadablePayloadException if the body is no payload of this type
     */
    Object read(String body, Type type);
}
