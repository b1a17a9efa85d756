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
        return get(InetAddress::getLocalHost);
    }

    static String get(Machine machine) {
        try {
            return machine.address().getHostName();
        } catch (UnknownHostException e) {
            // The configuration of the machine and no defect of the server, so without a stack trace.
            LOG.warn(
                    "The name of this machine cannot be resolved ({}), so flow logs say localhost; add it to DNS or /etc/hosts",
                    e.getMessage());
            return "localhost";
        }
    }

    /** The machine that the server runs on. */
    @FunctionalInterface
    interface Machine {
        InetAddress address() throws UnknownHostException;
    }
}
