package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.UnsupportedEncodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.apache.rocketmq.client.MQAdmin;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.protocol.body.AclInfo;
import org.apache.rocketmq.remoting.protocol.body.UserInfo;

/** A RocketMQ name server and a broker, each a process of its own. For one thread at a time. */
public final class RocketMqServer implements AutoCloseable {
    /** A topic that every broker makes for itself, also where topics are not created by sending to them. */
    private static final String ALWAYS_THERE = "BenchmarkTest";

    /** Settings of a broker that waits for its replica, but not for long. */
    public static final Map<String, String> REPLICATING =
            Map.of("brokerRole", "SYNC_MASTER", "inSyncReplicas", "2", "slaveTimeout", "500");

    /** Its timer takes a third of a core while nothing happens. */
    private static final Map<String, String> NO_TIMER = Map.of("timerWheelEnable", "false");

    private final Path dir;
    private final int nameServerPort = FreePorts.next();
    /** The broker listens on this and on two below. */
    private final int brokerPort = FreePorts.next(3) + 2;
    /** The same. */
    private final int replicaPort = FreePorts.next(3) + 2;
    /** The master sends its copies from here. */
    private final int copyPort = FreePorts.next();

    private final Map<String, String> brokerSettings;
    private final List<String> brokerJvm;
    private final RocketMqAccess access;
    private ServerProcess nameServer;
    private ServerProcess broker;

    private RocketMqServer(
            Path dir, Map<String, String> brokerSettings, List<String> brokerJvm, RocketMqAccess access) {
        this.dir = dir.toAbsolutePath();
        this.brokerSettings = brokerSettings;
        this.brokerJvm = brokerJvm;
        this.access = access;
    }

    /** Starts both; returns when a message was stored. */
    public static RocketMqServer start(Path dir) {
        return start(dir, Map.of());
    }

    /**
     * Starts both; returns when a message was stored.
     *
     * @param brokerSettings lines of {@code broker.conf}
     */
    public static RocketMqServer start(Path dir, Map<String, String> brokerSettings) {
        RocketMqServer server = prepare(dir, brokerSettings);
        try {
            server.startNameServer();
            server.startBroker();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Starts both with TLS and access control. */
    public static RocketMqServer startSecured(Path dir, RocketMqAccess access) {
        Map<String, String> settings = new HashMap<>(access.brokerSettings());
        settings.putAll(NO_TIMER);
        settings.put("authConfigPath", dir.toAbsolutePath().resolve("auth").toString());
        RocketMqServer server = new RocketMqServer(dir, settings, small("256m"), access);
        try {
            server.startNameServer();
            server.startBroker();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Knows its ports, but nothing runs yet. */
    public static RocketMqServer prepare(Path dir, Map<String, String> brokerSettings) {
        Map<String, String> settings = new HashMap<>(NO_TIMER);
        settings.putAll(brokerSettings);
        List<String> jvm = new ArrayList<>(small("256m"));
        jvm.add(Refusals.of(dir.toAbsolutePath()).jvmOption());
        return new RocketMqServer(dir, settings, jvm, RocketMqAccess.OPEN);
    }

    /**
     * Starts both for measurements: files as large as a broker's usually are, and a Java as it comes but for the heap.
     *
     * @param heap of the broker, such as {@code 1g}
     */
    public static RocketMqServer startForLoad(Path dir, String heap) {
        Map<String, String> settings = Map.of(
                "mappedFileSizeCommitLog", "268435456",
                "mappedFileSizeConsumeQueue", "6000000",
                // Two cores are shared by all: a queue of a moment is no reason to refuse a send.
                "waitTimeMillsInSendQueue", "3000");
        RocketMqServer server = new RocketMqServer(dir, settings, List.of("-Xmx" + heap), RocketMqAccess.OPEN);
        server.startNameServer();
        server.startBroker();
        return server;
    }

    public String nameServerAddress() {
        return "127.0.0.1:" + nameServerPort;
    }

    public ServerProcess nameServer() {
        return nameServer;
    }

    public ServerProcess broker() {
        return broker;
    }

    /** Also after {@link ServerProcess#kill()} on the old one: same port. */
    public void startNameServer() {
        Path conf = write("namesrv.conf", List.of("bindAddress=127.0.0.1", "listenPort=" + nameServerPort));
        nameServer = start("namesrv", small("64m"), "org.apache.rocketmq.namesrv.NamesrvStartup", conf);
        nameServer.awaitReady(() -> nameServer.log().contains("boot success"));
    }

    /** Also after {@link ServerProcess#kill()} on the old one: same port and data. Needs the name server. */
    public void startBroker() {
        launchBroker();
        try (Prober prober = new Prober(nameServerAddress(), access)) {
            broker.awaitReady(prober::stores);
        }
    }

    /** Starts the broker and does not wait. */
    public void launchBroker() {
        List<String> lines = new ArrayList<>(List.of(
                "brokerClusterName=test",
                "brokerName=broker-" + brokerPort,
                "brokerId=0",
                "brokerIP1=127.0.0.1",
                "brokerIP2=127.0.0.1",
                "bindAddress=127.0.0.1",
                "listenPort=" + brokerPort,
                "haListenPort=" + copyPort,
                "namesrvAddr=" + nameServerAddress(),
                "storePathRootDir=" + dir.resolve("store"),
                "storePathCommitLog=" + dir.resolve("store/commitlog"),
                "mappedFileSizeCommitLog=16777216",
                "mappedFileSizeConsumeQueue=200000",
                "messageIndexEnable=false",
                "diskMaxUsedSpaceRatio=99",
                "autoCreateTopicEnable=true"));
        brokerSettings.forEach((key, value) -> lines.add(key + "=" + value));
        Path conf = write("broker.conf", lines);
        broker = start("broker", brokerJvm, RocketMqBrokerMain.class.getName(), conf);
    }

    /**
     * Starts a second broker that copies the messages of this one, which has to be started with {@link #REPLICATING}. Does not wait
     * until it has caught up.
     */
    public ServerProcess startReplica() {
        Path data = dir.resolve("replica");
        Path conf = write(
                "replica.conf",
                List.of(
                        "brokerClusterName=test",
                        "brokerName=broker-" + brokerPort,
                        "brokerId=1",
                        "brokerRole=SLAVE",
                        "brokerIP1=127.0.0.1",
                        "brokerIP2=127.0.0.1",
                        "bindAddress=127.0.0.1",
                        "listenPort=" + replicaPort,
                        "haListenPort=" + (replicaPort - 1),
                        "namesrvAddr=" + nameServerAddress(),
                        // It learns its master from a registration: a missed one is made up for in ten seconds instead
                        // of thirty.
                        "registerNameServerPeriod=10000",
                        "timerWheelEnable=false",
                        "storePathRootDir=" + data,
                        "storePathCommitLog=" + data.resolve("commitlog"),
                        "mappedFileSizeCommitLog=16777216",
                        "mappedFileSizeConsumeQueue=200000",
                        "messageIndexEnable=false",
                        "diskMaxUsedSpaceRatio=99"));
        return start("replica", brokerJvm, RocketMqBrokerMain.class.getName(), conf);
    }

    /** Every third message is refused from now on; only where nothing is measured and nothing is secured. */
    public void refuseSome() {
        Refusals.of(dir).begin();
    }

    public void takeAll() {
        Refusals.of(dir).end();
    }

    /** Waits until the replica has all messages that the broker stores; the broker runs. */
    public void awaitReplicated() {
        try (Prober prober = new Prober(nameServerAddress(), access)) {
            broker.awaitReady(() -> prober.store() == SendStatus.SEND_OK);
        }
    }

    /** Changes a setting of the running broker, as an operator does. */
    public void change(String key, String value) {
        try (Prober prober = new Prober(nameServerAddress(), access)) {
            prober.change("127.0.0.1:" + brokerPort, key, value);
        }
    }

    /** Makes a topic with four queues, for brokers with {@code autoCreateTopicEnable=false}. */
    public void createTopic(String topic) {
        try (Prober prober = new Prober(nameServerAddress(), access)) {
            prober.createTopic(topic);
        }
    }

    /**
     * Makes an account that may only send to topics whose names begin so.
     *
     * @param topics such as {@code shop%orders}
     */
    public void createSender(String user, String password, String topics) {
        try (Prober prober = new Prober(nameServerAddress(), access)) {
            prober.createSender("127.0.0.1:" + brokerPort, user, password, topics);
        }
    }

    /** Kills both (a graceful stop takes 15 s); the data stays. */
    @Override
    public void close() {
        if (broker != null) {
            broker.close();
        }
        if (nameServer != null) {
            nameServer.close();
        }
    }

    private static List<String> small(String heap) {
        return List.of("-Xmx" + heap, "-XX:MaxDirectMemorySize=128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    }

    private ServerProcess start(String name, List<String> jvm, String mainClass, Path conf) {
        List<String> options = new ArrayList<>(jvm);
        options.addAll(access.jvmOptions());
        options.addAll(List.of(
                "-Dlogback.configurationFile=io/mykit/delay/test/server/logback-server.xml",
                "-Duser.home=" + dir,
                "-Drocketmq.home.dir=" + dir));
        return ServerProcess.startJava(name, dir, options, mainClass, List.of("-c", conf.toString()));
    }

    private Path write(String name, List<String> lines) {
        try {
            Files.createDirectories(dir);
            return Files.write(dir.resolve(name), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** "boot success" is not enough: only a stored message shows that the route is there. */
    private static final class Prober implements AutoCloseable {
        private final DefaultMQProducer producer;

        Prober(String nameServerAddress, RocketMqAccess access) {
            producer = new DefaultMQProducer("harness", access.signing());
            producer.setUseTLS(access.tls());
            producer.setNamesrvAddr(nameServerAddress);
            producer.setInstanceName("harness-" + UUID.randomUUID());
            producer.setRetryTimesWhenSendFailed(0);
            try {
                producer.start();
            } catch (MQClientException e) {
                throw new IllegalStateException(e);
            }
        }

        void createTopic(String topic) {
            try {
                MQAdmin admin = producer;
                admin.createTopic(ALWAYS_THERE, topic, 4, Map.of());
            } catch (MQClientException e) {
                throw new IllegalStateException(e);
            }
        }

        void createSender(String broker, String user, String password, String topics) {
            MQClientAPIImpl api = api();
            try {
                api.createUser(broker, UserInfo.of(user, password, "Normal"), 5000);
                List<String> resources = List.of("Topic:" + topics + "*");
                api.createAcl(broker, AclInfo.of("User:" + user, resources, List.of("Pub"), List.of(), "Allow"), 5000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            } catch (RemotingException | MQBrokerException e) {
                throw new IllegalStateException(e);
            }
        }

        void change(String broker, String key, String value) {
            Properties changed = new Properties();
            changed.setProperty(key, value);
            try {
                api().updateBrokerConfig(broker, changed, 5000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            } catch (RemotingException | MQBrokerException | MQClientException | UnsupportedEncodingException e) {
                throw new IllegalStateException(e);
            }
        }

        @SuppressWarnings("deprecation")
        private MQClientAPIImpl api() {
            return producer.getDefaultMQProducerImpl().getMqClientFactory().getMQClientAPIImpl();
        }

        boolean stores() throws Exception {
            SendStatus status = store();
            // The messages of a broker are not copied before its replica is started, and may be flushed too late.
            return status == SendStatus.SEND_OK
                    || status == SendStatus.FLUSH_SLAVE_TIMEOUT
                    || status == SendStatus.FLUSH_DISK_TIMEOUT;
        }

        SendStatus store() throws Exception {
            byte[] body = {1};
            return producer.send(new Message(ALWAYS_THERE, body), 1500).getSendStatus();
        }

        @Override
        public void close() {
            producer.shutdown();
        }
    }
}
