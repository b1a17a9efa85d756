package io.mykit.delay.queue.delivery;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.common.value.TopicPatterns;
import io.mykit.delay.config.ChannelNames;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.config.InstalledChannel;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.PulledTopics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the channel of a topic: that which an operator gave it while the queue runs, or that of the configuration. A channel is opened
 * when it is first used, and stays open until {@link #close()}. Thread-safe.
 */
public final class Channels implements HealthCheck, AutoCloseable {
    /** The source of a value that an operator has set. */
    public static final String OPERATOR = "operator";

    private static final Logger LOG = LoggerFactory.getLogger(Channels.class);

    private final Map<String, InstalledChannel> installed;
    private final DeliveryChannel pull;
    /** The channel of each name in {@code delivery.topics}. */
    private final Map<String, String> configured;

    private final String defaultChannel;
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private volatile Names names;
    /** Changes need the lock of this object; each push reads without the lock. */
    private final Map<String, DeliveryChannel> opened = new ConcurrentSkipListMap<>();
    /** Guarded by the lock of this object. */
    private boolean closed;

    /**
     * Checks that the configuration names installed channels only.
     *
     * @param installed the installed channels by name
     * @param pull the channel of topics that consumers pull; this object closes it
     * @throws ConfigException if the configuration names a channel that is not installed
     */
    Channels(DeliveryConfig delivery, Map<String, InstalledChannel> installed, DeliveryChannel pull) {
        this.installed = new TreeMap<>(installed);
        this.pull = pull;
        this.configured = ChannelNames.byTopic(delivery);
        this.defaultChannel = delivery.defaultChannel();
        this.names = names(Map.of(), 0);
        requireKnown(ChannelNames.SECTION + "default-channel", defaultChannel);
        configured.forEach((topic, name) -> requireKnown(ChannelNames.SECTION + "topics." + topic, name));
    }

    /**
     * Opens every channel that the configuration names. A missing setting then stops the start instead of a message. Connects
     * to no broker. The caller closes the result.
     *
     * @param installed the installed channels by name
     * @throws ConfigException if the configuration names a channel that is not installed
     * @throws IllegalArgumentException if a setting is missing or wrong; the message names the key
     */
    public static Channels open(
            DeliveryConfig delivery, Map<String, InstalledChannel> installed, MeterRegistry meters) {
        Channels channels = new Channels(delivery, installed, new PullChannel(meters));
        try {
            channels.openAll();
        } catch (RuntimeException | Error e) {
            channels.close();
            throw e;
        }
        return channels;
    }

    /** A channel that is open already, as if it were installed. */
    public static InstalledChannel installed(String name, DeliveryChannel opened, DeliveryConfig delivery) {
        DeliveryChannelFactory factory = new DeliveryChannelFactory() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public DeliveryChannel open(ChannelSettings settings) {
                return opened;
            }
        };
        return new InstalledChannel(factory, ChannelSettings.of(name, List.of(), Map.of(), delivery.sendTimeout()));
    }

    /** The topics whose messages consumers pull. */
    public Pulled pulled() {
        return new Pulled() {
            @Override
            public boolean contains(String topic) {
                return now().contains(topic);
            }

            @Override
            public PulledTopics now() {
                return names.pulled();
            }

            @Override
            public int version() {
                return names.version();
            }
        };
    }

    void openAll() {
        names().forEach(this::channel);
    }

    /**
     * These channels of operators count from now on, and no others: they come before {@code delivery.topics}. A topic whose channel is not
     * installed here, or cannot be opened, has no route: its messages wait. One thread at a time calls it.
     *
     * @param own the channel by topic
     */
    public void set(Map<String, String> own) {
        Map<String, String> before = names.own();
        names = names(own, names.version() + 1);
        Stream.concat(before.keySet().stream(), own.keySet().stream())
                .distinct()
                .filter(topic -> !Objects.equals(before.get(topic), own.get(topic)))
                .sorted()
                .forEach(topic -> listeners.forEach(listener -> tell(listener, topic)));
    }

    private static void tell(Consumer<String> listener, String topic) {
        try {
            listener.accept(topic);
        } catch (RuntimeException | Error e) {
            // The change is in the store, and the other listeners must know it.
            LOG.error("A listener failed after a change of the channel of topic {}", topic, e);
        }
    }

    private Names names(Map<String, String> own, int version) {
        Map<String, String> all = new TreeMap<>(configured);
        all.putAll(own);
        Map<String, Boolean> pulled = all.entrySet().stream()
                .collect(toMap(Map.Entry::getKey, channel -> channel.getValue().equals(ChannelNames.PULL)));
        return new Names(
                Map.copyOf(own),
                Map.copyOf(all),
                new TopicPatterns<>(all),
                PulledTopics.of(pulled, defaultChannel.equals(ChannelNames.PULL)),
                version);
    }

    /** Adds a listener for topics to which an operator gives another channel. It runs on the thread of {@link #set}. */
    public void onChange(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** The channel of each name that the configuration or an operator has. */
    public Map<String, String> byName() {
        return names.all();
    }

    /** The name of a topic's channel. */
    public String channelOf(String topic) {
        return names.topics().first(topic).orElse(defaultChannel);
    }

    /** The place that names the channel of a topic: {@code operator}, or a key of the configuration. */
    public String source(String topic) {
        if (names.own().containsKey(topic)) {
            return OPERATOR;
        }
        Map<String, String> keys = new HashMap<>();
        configured.keySet().forEach(name -> keys.put(name, "delivery.topics." + name));
        return new TopicPatterns<>(keys).first(topic).orElse("delivery.default-channel");
    }

    /**
     * Returns the channel of a topic.
     *
     * @throws IllegalArgumentException if the channel is not installed, or cannot be opened with its settings
     * @throws IllegalStateException after {@link #close()}
     */
    public ChannelRoute route(String topic) {
        String name = channelOf(topic);
        return new ChannelRoute(name, channel(name));
    }

    /** Where a message goes, or has gone if the configuration was the same then. A plug-in that throws names no destination. */
    public MessageRoute route(DelayMessage message) {
        String name = channelOf(message.topic());
        try {
            Optional<String> own = channel(name).destination(message);
            return new MessageRoute(
                    name, own.or(() -> Optional.ofNullable(installed.get(name)).flatMap(InstalledChannel::address)));
        } catch (RuntimeException e) {
            return new MessageRoute(name, Optional.empty());
        }
    }

    /** Returns the retry options that the channel of this topic has by default. */
    public RetryOptions retry(String topic) {
        return factory(channelOf(topic)).map(DeliveryChannelFactory::retry).orElse(RetryOptions.NONE);
    }

    /**
     * Returns the refusal if a message can never be delivered, or names a destination that is not allowed; otherwise empty. See
     * {@link DeliveryChannel#objection} and {@link DeliveryChannel#forbiddenTarget}. A channel of an operator that this node does not have
     * objects to nothing: another node delivers.
     */
    public Optional<DelayException> objection(DelayMessage message) {
        return usableRoute(message.topic()).flatMap(route -> objection(message, route));
    }

    private Optional<DelayException> objection(DelayMessage message, ChannelRoute route) {
        boolean targeted = !message.extras().target().isEmpty();
        if (targeted && !takesTargets(route)) {
            return Optional.of(FieldRules.invalid(
                    "target is not allowed here: the channel " + route.name() + " of this topic takes no targets"));
        }
        Optional<DelayException> invalid = route.channel().objection(message).map(FieldRules::invalid);
        return invalid.isPresent() || !targeted
                ? invalid
                : route.channel()
                        .forbiddenTarget(message)
                        .map(reason -> new DelayException(ErrorCode.TARGET_FORBIDDEN, reason));
    }

    /**
     * The same, and the refusal of a topic that would share the name of another team's topic at its broker.
     *
     * @param namespaces those of teams
     */
    public Optional<DelayException> objection(DelayMessage message, Namespaces namespaces) {
        return usableRoute(message.topic()).flatMap(route -> objection(message, route, namespaces));
    }

    private Optional<DelayException> objection(DelayMessage message, ChannelRoute route, Namespaces namespaces) {
        Optional<DelayException> own = objection(message, route);
        if (own.isPresent() || !namespaces.intrudes(message.topic(), route.channel()::nameAtBroker)) {
            return own;
        }
        return Optional.of(FieldRules.invalid("topic " + message.topic() + " would be "
                + route.channel().nameAtBroker(message.topic()) + " at its broker (channel " + route.name()
                + "), which is a name of topics in a namespace; choose another topic"));
    }

    private Optional<ChannelRoute> usableRoute(String topic) {
        try {
            return Optional.of(route(topic));
        } catch (IllegalArgumentException notHere) {
            return Optional.empty();
        }
    }

    /**
     * Tells why an operator cannot give this channel to a topic: it is not installed here, it cannot be opened with its settings, or it
     * would refuse each message of the topic that names no target.
     *
     * @param namespaces those of teams
     */
    public Optional<String> refusal(String topic, String channel, Namespaces namespaces) {
        ChannelRoute route;
        try {
            route = new ChannelRoute(channel, channel(channel));
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
        DelayMessage plain = new DelayMessage("1", topic, "", "", "", 0, 0, 0, 0, 0);
        return objection(plain, route, namespaces).map(DelayException::getMessage);
    }

    private boolean takesTargets(ChannelRoute route) {
        return factory(route.name()).map(DeliveryChannelFactory::takesTargets).orElse(false);
    }

    @Override
    public String name() {
        return "channels";
    }

    /** Up if every opened channel is up. Asks all channels at the same time. */
    @Override
    public Health check() {
        Map<String, Object> details = new LinkedHashMap<>();
        boolean up = true;
        for (Map.Entry<String, Health> answer : healths().entrySet()) {
            Health health = answer.getValue();
            up &= health.up();
            Map<String, Object> detail = new LinkedHashMap<>();
            detail.put("up", health.up());
            detail.putAll(health.details());
            details.put(answer.getKey(), detail);
        }
        return new Health(up, details);
    }

    /** The channels that the configuration or an operator names. */
    public Set<String> names() {
        Set<String> all = new TreeSet<>(names.all().values());
        all.add(defaultChannel);
        return all;
    }

    /** Returns the opened channels that are not up. Asks all channels at the same time, for at most a second. */
    public Set<String> down() {
        return healths().entrySet().stream()
                .filter(answer -> !answer.getValue().up())
                .map(Map.Entry::getKey)
                .collect(toSet());
    }

    private Map<String, Health> healths() {
        Map<String, CompletableFuture<Health>> answers = new LinkedHashMap<>();
        snapshot().forEach((name, channel) -> answers.put(name, ask(channel)));
        Map<String, Health> healths = new LinkedHashMap<>();
        answers.forEach((name, answer) -> healths.put(name, answer.join()));
        return healths;
    }

    @Override
    public void close() {
        List<DeliveryChannel> toClose;
        synchronized (this) {
            closed = true;
            toClose = List.copyOf(opened.values());
            opened.clear();
        }
        for (DeliveryChannel channel : toClose) {
            try {
                channel.close();
            } catch (RuntimeException | Error e) {
                LOG.warn(
                        "Delivery channel {} did not close cleanly; see the trace below",
                        channel.getClass().getName(),
                        e);
            }
        }
    }

    /** Empty for the channel that is built in. */
    private Optional<DeliveryChannelFactory> factory(String name) {
        return Optional.ofNullable(installed.get(name)).map(InstalledChannel::factory);
    }

    private DeliveryChannel channel(String name) {
        DeliveryChannel channel = opened.get(name);
        return channel == null ? open(name) : channel;
    }

    private synchronized DeliveryChannel open(String name) {
        if (closed) {
            throw new IllegalStateException("the delivery channels are closed");
        }
        DeliveryChannel channel = opened.get(name);
        if (channel == null) {
            channel = name.equals(ChannelNames.PULL) ? pull : opened(name);
            opened.put(name, channel);
        }
        return channel;
    }

    private DeliveryChannel opened(String name) {
        InstalledChannel found = installed.get(name);
        if (found == null) {
            throw new IllegalArgumentException("the delivery channel " + name + " is not installed here; there are "
                    + String.join(", ", installed.keySet()) + ", " + ChannelNames.PULL);
        }
        return found.open();
    }

    private synchronized Map<String, DeliveryChannel> snapshot() {
        return new LinkedHashMap<>(opened);
    }

    /** A plug-in that throws or hangs must not hide the health of the other channels. */
    private static CompletableFuture<Health> ask(DeliveryChannel channel) {
        return CompletableFuture.supplyAsync(channel::health, question -> Threads.daemon("channel-health", question)
                        .start())
                .exceptionally(e -> Health.down(Reasons.of(e.getCause() == null ? e : e.getCause())))
                .completeOnTimeout(Health.down("no answer within a second"), 1, TimeUnit.SECONDS);
    }

    private void requireKnown(String key, String channel) {
        if (!channel.equals(ChannelNames.PULL) && !installed.containsKey(channel)) {
            throw new ConfigException(key + " = " + channel
                    + ": this delivery channel is not installed. Put its jar into plugins/, or use one of "
                    + String.join(", ", installed.keySet()) + ", " + ChannelNames.PULL);
        }
    }

    /**
     * The names of one moment. Immutable.
     *
     * @param own the channels that operators gave to topics
     * @param all those of the configuration, and these before them
     * @param version grows with each change
     */
    private record Names(
            Map<String, String> own,
            Map<String, String> all,
            TopicPatterns<String> topics,
            PulledTopics pulled,
            int version) {}
}
