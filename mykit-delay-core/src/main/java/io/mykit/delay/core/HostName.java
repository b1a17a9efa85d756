package io.mykit.delay.core;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The name of this machine, for flow logs and the election. */
final class HostName {
    private static final Logger LOG = LoggerFactory.getLogger(HostName.class);

    private HostName() {}

    static String get() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            LOG.warn(
                    "The name of this machine cannot be resolved, so flow logs say localhost; add it to DNS or /etc/hosts",
                    e);
            return "localhost";
        }
    }
}
