package io.mykit.delay.core;

import io.mykit.delay.config.ChannelNames;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.InstalledChannel;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.config.TlsConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The lines that a started server prints. They hold no secrets: an address appears without account and parameters.
 * Stateless.
 */
final class Banner {
    private static final Pattern USER_INFO = Pattern.compile("(?<=//)[^/@]*@");
    private static final Pattern PARAMETERS = Pattern.compile("[?;].*");

    private Banner() {}

    /**
     * @param loaded the given configuration, with the word {@code embedded}
     * @param used the configuration in use, with addresses in place of that word
     * @param port the port on which HTTP listens
     * @param grpc the address of the gRPC interface; empty = none
     * @param ports the addresses of the ports that speak the APIs of other queues, by their sections
     */
    static List<String> lines(
            LoadedConfig loaded, LoadedConfig used, int port, Optional<String> grpc, Map<String, String> ports) {
        DelayConfig config = used.config();
        DelayConfig given = loaded.config();
        String url = TlsConfig.scheme(config.http().tls()) + "://"
                + host(config.http().host()) + ":" + port;
        List<String> lines = new ArrayList<>();
        lines.add("listens on " + url + " ("
                + given.mode().name().toLowerCase(Locale.ROOT).replace('_', '-') + ")");
        grpc.ifPresent(address -> lines.add("  gRPC      " + address));
        ports.forEach((name, address) -> lines.add(String.format(Locale.ROOT, "  %-9s %s", name, address)));
        IngestServices.address(used).ifPresent(address -> lines.add("  ingest    " + address));
        lines.add("  store     "
                + part(given.datasource().url(), config.datasource().url()));
        lines.add("  index     "
                + part(given.redis().uri().reveal(), config.redis().uri().reveal()));
        config.registry()
                .serverList()
                .filter(servers -> given.mode() == DelayConfig.Mode.MASTER_STANDBY)
                .ifPresent(servers -> lines.add("  registry  ZooKeeper " + servers));
        lines.add("  channels  "
                + ChannelNames.inUse(config.delivery()).stream()
                        .map(name -> channel(name, loaded, used))
                        .collect(Collectors.joining(", ")));
        lines.add("  data      " + given.dataDir().toAbsolutePath().normalize());
        lines.add("  config    " + loaded.file().map(Path::toString).orElse("defaults; --help lists the keys"));
        lines.add("try it:");
        String token = config.http().producerToken().isPresent() ? " -H 'authorization: Bearer ...'" : "";
        lines.add("  curl -XPOST " + url + "/push -H 'content-type: application/json'" + token
                + " -d '{\"topic\":\"orders\",\"body\":\"hello world\",\"delay\":5000}'");
        return lines;
    }

    private static String channel(String name, LoadedConfig loaded, LoadedConfig used) {
        return Optional.ofNullable(used.channels().get(name))
                .flatMap(InstalledChannel::address)
                .map(address -> name + " " + embedded(given(name, loaded), address))
                .orElse(name);
    }

    private static String given(String channel, LoadedConfig loaded) {
        return loaded.channels().get(channel).address().orElse("");
    }

    private static String part(String given, String used) {
        String shown =
                PARAMETERS.matcher(USER_INFO.matcher(used).replaceAll("")).replaceAll("");
        return given.equals(used) ? shown : embedded(given, shown);
    }

    /** The value in use, and the configured word that it replaces. */
    private static String embedded(String given, String shown) {
        return given.equals(shown) ? shown : shown + " (" + given + ")";
    }

    /** An address to connect to, for a configured address to listen on. */
    private static String host(String host) {
        return host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
    }
}
