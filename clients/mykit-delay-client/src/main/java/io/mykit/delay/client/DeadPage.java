package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * A page of the dead letters of a topic, the oldest first.
 *
 * @param next the begin of the next page, for {@link DeadOrder#after}; empty at the end
 */
public record DeadPage(List<DeadLetter> letters, Optional<String> next) {
    static DeadPage read(JsonObject page) {
        return new DeadPage(
                JsonObject.list(page.get("items")).stream()
                        .map(JsonObject::of)
                        .map(DeadLetter::read)
                        .toList(),
                page.optionalText("next"));
    }
}
