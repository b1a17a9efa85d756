package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A Kafka broker that is its own controller (KRaft), as a process of its own. It makes topics by itself if a producer asks for them, as
 * brokers do by default. For one thread at a time.
 */
public final class KafkaServer implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final Path dir;
    private final int port = FreePorts.next();
    /** Without security, for the harness and for the broker itself. */
    private final int innerPort = FreePorts.next();

    private final int controllerPort = FreePorts.next();
    private final Map<String, String> settings;
    private final List<String> jvm;
    private final KafkaAccess access;
    private ServerProcess process;

    private KafkaServer(Path dir, Map<String, String> settings, List<String> jvm, KafkaAccess access) {
        this.dir = dir.toAbsolutePath();
        this.settings = Map.copyOf(settings);
        this.jvm = List.copyOf(jvm);
        this.access = access;
    }

    /** Starts it; returns when it answers. */
    public static KafkaServer start(Path dir, Map<String, String> settings) {
        return prepare(dir, settings).started();
    }

    /** Starts it with TLS, and with an account that may only write. */
    public static KafkaServer startSecured(Path dir, KafkaAccess access) {
        KafkaServer server = new KafkaServer(dir, Map.of(), small(), access).started();
        server.allow(access, "WRITE");
        return server;
    }

    /** Allows an operation to the account, on the topics and the groups of its prefix. */
    public void allow(KafkaAccess access, String operation) {
        try (Admin admin = admin()) {
            AccessControlEntry may = new AccessControlEntry(
                    "User:" + access.user(), "*", AclOperation.fromString(operation), AclPermissionType.ALLOW);
            List<AclBinding> bindings = new ArrayList<>();
            bindings.add(new AclBinding(
                    new ResourcePattern(ResourceType.TOPIC, access.prefix(), PatternType.PREFIXED), may));
            if (operation.equals("READ")) {
                bindings.add(new AclBinding(
                        new ResourcePattern(ResourceType.GROUP, access.prefix(), PatternType.PREFIXED), may));
            }
            await(admin.createAcls(bindings).all());
        }
    }

    /** Starts it for measurements, with a Java as it comes but for the heap. */
    public static KafkaServer startForLoad(Path dir, String heap) {
        return new KafkaServer(dir, Map.of(), List.of("-Xmx" + heap), KafkaAccess.OPEN).started();
    }

    /** Knows its ports, but does not run yet. */
    public static KafkaServer prepare(Path dir, Map<String, String> settings) {
        return new KafkaServer(dir, settings, small(), KafkaAccess.OPEN);
    }

    /** For clients. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Without account and TLS, also of a secured broker. */
    public String innerAddress() {
        return "127.0.0.1:" + innerPort;
    }

    public ServerProcess process() {
        return process;
    }

    /** Also after {@link ServerProcess#kill()} on the old one: same ports and data. */
    public void startBroker() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("process.roles", "broker,controller");
        all.put("node.id", "1");
        all.put("controller.quorum.bootstrap.servers", "127.0.0.1:" + controllerPort);
        all.put(
                "listeners",
                "MAIN://127.0.0.1:" + port + ",INNER://127.0.0.1:" + innerPort + ",CONTROLLER://127.0.0.1:"
                        + controllerPort);
        all.put("advertised.listeners", "MAIN://127.0.0.1:" + port + ",INNER://127.0.0.1:" + innerPort);
        all.put(
                "listener.security.protocol.map",
                "MAIN:" + access.protocol() + ",INNER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        all.put("inter.broker.listener.name", "INNER");
        all.put("controller.listener.names", "CONTROLLER");
        all.put("log.dirs", data().toString());
        all.put("num.partitions", "1");
        all.put("offsets.topic.replication.factor", "1");
        all.put("offsets.topic.num.partitions", "1");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("transaction.state.log.num.partitions", "1");
        all.put("log.cleaner.dedupe.buffer.size", "2097152");
        all.put("group.initial.rebalance.delay.ms", "0");
        // After a kill the controller waits for the end of the old session.
        all.put("broker.session.timeout.ms", "3000");
        all.put("broker.heartbeat.interval.ms", "500");
        all.putAll(access.brokerSettings());
        all.putAll(settings);
        Path properties = write(all);
        List<String> options = new ArrayList<>(jvm);
        options.add("-Dlogback.configurationFile=io/mykit/delay/test/server/logback-server.xml");
        List<String> arguments = new ArrayList<>(List.of(properties.toString(), data().toString()));
        arguments.addAll(access.formatArguments());
        process = ServerProcess.startJava("kafka", dir, options, KafkaBrokerMain.class.getName(), arguments);
        try (Admin admin = admin()) {
            process.awaitReady(() -> !admin.describeCluster()
                    .nodes()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .isEmpty());
        }
    }

    /** Makes a topic that is not there yet. */
    public void createTopic(String topic, int partitions, Map<String, String> configs) {
        try (Admin admin = admin()) {
            NewTopic wanted = new NewTopic(topic, partitions, (short) 1).configs(configs);
            admin.createTopics(List.of(wanted)).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException(e);
            }
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The names of all topics of users. */
    public List<String> topics() {
        try (Admin admin = admin()) {
            return List.copyOf(await(admin.listTopics().names()));
        }
    }

    /** Deletes a topic and its records. */
    public void deleteTopic(String topic) {
        try (Admin admin = admin()) {
            await(admin.deleteTopics(List.of(topic)).all());
        }
    }

    /** Kills it; the data stays. */
    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }

    private KafkaServer started() {
        try {
            startBroker();
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", innerAddress()));
    }

    private static <T> T await(org.apache.kafka.common.KafkaFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Path data() {
        return dir.resolve("data");
    }

    private static List<String> small() {
        return List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    }

    private Path write(Map<String, String> all) {
        List<String> lines = all.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
        try {
            Files.createDirectories(dir);
            return Files.write(dir.resolve("server.properties"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
