package io.mykit.delay.core;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This machine's name, for flow logs and the election. */
final class HostName {
    private static final Logger LOG = LoggerFactory.getLogger(HostName.class);

    private HostName() {}

    static String get() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            LOG.warn("This machine's own name cannot be resolved; flow logs say localhost", e);
            return "localhost";
        }
    }
}
