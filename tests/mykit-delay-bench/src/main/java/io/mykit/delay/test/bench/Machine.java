package io.mykit.delay.test.bench;

import io.mykit.delay.test.bench.rig.Rig;
import io.mykit.delay.test.server.DatabaseServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;

/** The facts about the machine that belong to each figure. */
final class Machine {

    private Machine() {}

    /** The load of the last minute, before any process of the bench ran. */
    static String load() {
        return read(Path.of("/proc/loadavg")).split(" ", 2)[0];
    }

    static Map<String, Object> describe(Rig rig, String command, String loadBefore) {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("command", command);
        machine.put("date", ZonedDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
        machine.put("commit", commit());
        machine.put("load before", loadBefore);
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        machine.put("processor", field("/proc/cpuinfo", "model name"));
        machine.put("memory", field("/proc/meminfo", "MemTotal"));
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("Java", System.getProperty("java.vm.name") + " " + Runtime.version());
        machine.put(rig.databaseServer().name(), databaseVersion(rig) + rig.databaseNote());
        machine.put("Redis", rig.redis().info("redis_version"));
        machine.put("RocketMQ", version(org.apache.rocketmq.broker.BrokerController.class));
        machine.put("ActiveMQ", version(org.apache.activemq.broker.BrokerService.class));
        return machine;
    }

    private static String databaseVersion(Rig rig) {
        try (var connection = DriverManager.getConnection(rig.databaseServer().url(""), DatabaseServer.USER, "")) {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** From the name of the archive that a class came in. */
    private static String version(Class<?> type) {
        String archive =
                type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return archive.replaceAll(".*-(\\d[^/]*)\\.jar", "$1");
    }

    private static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12").start();
            String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return answer.isEmpty() ? "unknown" : answer;
        } catch (IOException noGit) {
            return "unknown";
        }
    }

    private static String field(String file, String name) {
        return read(Path.of(file))
                .lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
