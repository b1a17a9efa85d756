package io.mykit.delay.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Finds settings that work but are probably a mistake. Stateless. */
final class ConfigWarnings {
    private static final Set<String> LOOPBACK = Set.of("localhost", "::1", "[::1]");

    private ConfigWarnings() {}

    static List<String> of(DelayConfig config) {
        List<String> warnings = new ArrayList<>();
        boolean standalone = config.mode() == DelayConfig.Mode.STANDALONE;
        String host = config.http().host();
        boolean loopback = host.startsWith("127.") || LOOPBACK.contains(host);
        if (!loopback && config.http().adminToken().isEmpty()) {
            warnings.add("mykit.delay.http.host = " + host + " can be reached from other machines, and without"
                    + " mykit.delay.http.admin-token any program there may call"
                    + " /clearAll, and so may web pages in old browsers");
        }
        if (standalone && config.registry().serverList().isPresent()) {
            warnings.add("mykit.delay.registry.server-list is not used in standalone mode");
        }
        return warnings;
    }
}
