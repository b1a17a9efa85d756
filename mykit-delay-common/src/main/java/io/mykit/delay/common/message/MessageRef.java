package io.mykit.delay.common.message;

import static java.util.Objects.requireNonNull;

/** Names one version of a message. Immutable. */
public record MessageRef(String id, int version) {
    public MessageRef {
        requireNonNull(id, "id");
    }
}
