package io.mykit.delay.channel;

import java.util.List;

/**
 * A section of the configuration whose keys are declared by the part that uses them: a channel, or another part that is a guest of the
 * server. {@link java.util.ServiceLoader} finds it, so it needs a public constructor without arguments. It loads no class of a client
 * library: the server loads every section on its class path at each start, also for {@code --help}.
 */
public interface SettingsSection {
    /** The name of the section, {@code mykit.delay.<name>.*}: letters, digits and hyphens; that of a part that is no channel may have a dot. */
    String name();

    /** The keys of the section, in the order in which {@code --help} shows them. The server refuses all other keys. */
    default List<ChannelKey<?>> keys() {
        return List.of();
    }

    /**
     * Adds a problem for each value that is out of range, missing, or contradicts another. The server calls it at every start, whether or
     * not the part is in use. A problem stops the start.
     */
    default void check(ChannelSettings settings, ChannelProblems problems) {
        // By default there is nothing to check.
    }
}
