package io.mykit.delay.channel.hosts;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a name. It may block. Thread-safe. */
@FunctionalInterface
public interface HostResolver {
    /** The JVM's resolver. */
    HostResolver OF_JVM = host -> List.of(InetAddress.getAllByName(host));

    List<InetAddress> resolve(String host) throws UnknownHostException;
}
