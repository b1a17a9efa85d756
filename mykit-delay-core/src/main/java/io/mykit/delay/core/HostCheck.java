package io.mykit.delay.core;

import io.mykit.delay.common.lifecycle.Threads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the host names of the configuration that this machine cannot resolve. They do not stop the start, because a name may
 * resolve later. It runs on a thread of its own, because a lookup may take seconds.
 */
final class HostCheck implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(HostCheck.class);
    private static final Pattern PORT_OR_PATH = Pattern.compile("(:\\d+)?(/.*)?$");

    private final String key;
    private final List<String> hosts;

    /** @param servers host:port,... or host:port;... */
    HostCheck(String key, String servers) {
        this.key = key;
        this.hosts = Stream.of(servers.split("[,;]", -1))
                .map(server -> PORT_OR_PATH.matcher(server.strip()).replaceFirst(""))
                .filter(host -> !host.isEmpty())
                .toList();
    }

    void start() {
        Threads.daemon("host-check", this).start();
    }

    @Override
    public void run() {
        unknown()
                .forEach(host -> LOG.warn(
                        "The host name {} in {} cannot be resolved: correct it, or add it to DNS or /etc/hosts",
                        host,
                        key));
    }

    List<String> unknown() {
        return hosts.stream().filter(host -> !isKnown(host)).toList();
    }

    private static boolean isKnown(String host) {
        try {
            return InetAddress.getByName(host) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
