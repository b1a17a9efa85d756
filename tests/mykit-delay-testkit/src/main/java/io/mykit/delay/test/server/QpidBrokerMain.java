package io.mykit.delay.test.server;

import java.util.Map;
import org.apache.qpid.server.SystemLauncher;

/** Apache Qpid Broker-J with its file store. */
public final class QpidBrokerMain {
    private QpidBrokerMain() {}

    /** Arguments: directory of all files, file of the configuration at the first start, size of the largest message in bytes. */
    public static void main(String[] args) throws Exception {
        new SystemLauncher()
                .startup(Map.of(
                        "type",
                        "JSON",
                        "initialConfigurationLocation",
                        args[1],
                        "startupLoggedToSystemOut",
                        "false",
                        "context",
                        Map.of(
                                "qpid.work_dir",
                                args[0],
                                "qpid.max_message_size",
                                args[2],
                                "qpid.port.closeWhenNoRoute",
                                "false")));
        System.out.println("started");
        Thread.currentThread().join();
    }
}
