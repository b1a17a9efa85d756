package io.mykit.delay.common.message;

import static java.util.Objects.requireNonNull;

/** One version of a message, by name. */
public record MessageRef(String id, int version) {
    public MessageRef {
        requireNonNull(id, "id");
    }
}
