package io.mykit.delay.test.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Kafka broker as a process of its own: formats its directory at the first start, which a JVM of its own would do in two seconds. */
public final class KafkaBrokerMain {
    private KafkaBrokerMain() {}

    /** @param arguments the properties, the directory of the data, and further arguments of the format */
    public static void main(String[] arguments) throws Exception {
        Path data = Path.of(arguments[1]);
        if (!Files.exists(data.resolve("meta.properties"))) {
            List<String> format = new ArrayList<>(
                    List.of("format", "-t", "AAAAAAAAAAAAAAAAAAAAAQ", "-c", arguments[0], "--standalone"));
            format.addAll(List.of(arguments).subList(2, arguments.length));
            int code = kafka.tools.StorageTool.execute(format.toArray(String[]::new), System.out);
            if (code != 0) {
                System.exit(code);
            }
        }
        kafka.Kafka.main(new String[] {arguments[0]});
    }
}
