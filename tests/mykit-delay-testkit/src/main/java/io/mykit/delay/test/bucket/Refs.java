package io.mykit.delay.test.bucket;

import io.mykit.delay.common.message.MessageRef;
import java.util.Collection;
import java.util.List;

/** Messages in their first version, by name. */
public final class Refs {
    private Refs() {}

    public static List<MessageRef> first(Collection<String> ids) {
        return ids.stream().map(id -> new MessageRef(id, 0)).toList();
    }

    public static List<MessageRef> first(String... ids) {
        return first(List.of(ids));
    }
}
