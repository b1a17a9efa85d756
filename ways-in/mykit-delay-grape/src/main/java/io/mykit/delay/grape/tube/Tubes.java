package io.mykit.delay.grape.tube;

import io.mykit.delay.grape.call.GrapeError;
import io.mykit.delay.grape.call.Refusal;
import io.mykit.delay.ports.engine.Engine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * The tubes that exist. A tube is a topic to which operators gave a policy: this record is in the store, and all nodes know it. Thread-safe;
 * does not block.
 */
public final class Tubes {
    static final int MAX_NAME = 64;
    private static final String FORM = "^([a-z]|[A-Z])(\\w|-)*";
    private static final Pattern NAME = Pattern.compile(FORM);
    /** The pauses before further looks at an unknown tube. */
    private static final List<Duration> LOOKS =
            List.of(Duration.ofMillis(50), Duration.ofMillis(150), Duration.ofMillis(400));

    private final Engine engine;
    private final String prefix;

    /** @param prefix of the topics of all tubes, with a slash at its end */
    public Tubes(Engine engine, String prefix) {
        this.engine = engine;
        this.prefix = prefix;
    }

    /**
     * The tube of this name. Another node may have made it a moment ago, so an unknown one is looked for again before it is refused.
     *
     * @return fails with a {@link Refusal} if there is none
     * @throws Refusal 400 if the name is empty
     */
    public CompletableFuture<Tube> existing(String name) {
        requireName(name);
        CompletableFuture<Tube> found = new CompletableFuture<>();
        look(name, 0, found);
        return found;
    }

    private void look(String name, int look, CompletableFuture<Tube> found) {
        Optional<Tube> tube = find(name);
        if (tube.isPresent()) {
            found.complete(tube.get());
        } else if (look < LOOKS.size()) {
            engine.later().in(LOOKS.get(look), () -> look(name, look + 1, found));
        } else {
            found.completeExceptionally(Refusal.of(GrapeError.TUBE_UNKNOWN, "unknown tube name '" + name + "'"));
        }
    }

    /** Empty = this node does not know such a tube. */
    Optional<Tube> find(String name) {
        return Optional.of(name).filter(Tubes::isName).map(this::tube).filter(tube -> engine.operators()
                .topicsWithPolicy(tube.topic())
                .contains(tube.topic()));
    }

    /** All tubes, in order. */
    List<Tube> all() {
        return engine.operators().topicsWithPolicy(prefix).stream()
                .map(topic -> topic.substring(prefix.length()))
                .filter(Tubes::isName)
                .map(this::tube)
                .toList();
    }

    /**
     * A tube that may not exist.
     *
     * @throws Refusal 400
     */
    Tube named(String name) {
        requireName(name);
        if (name.length() > MAX_NAME) {
            throw Refusal.of(GrapeError.TUBE_TOO_LONG, "tube name great than " + MAX_NAME);
        }
        if (!NAME.matcher(name).matches()) {
            throw Refusal.of(GrapeError.TUBE_ILLEGAL, "tube name not match " + FORM);
        }
        return tube(name);
    }

    static boolean isName(String name) {
        return name.length() <= MAX_NAME && NAME.matcher(name).matches();
    }

    private static void requireName(String name) {
        if (name.isEmpty()) {
            throw Refusal.of(GrapeError.TUBE_EMPTY, "tube name is empty");
        }
    }

    private Tube tube(String name) {
        String topic = prefix + name;
        return new Tube(name, topic, engine.namespaces().prefix(topic));
    }
}
