package io.mykit.delay.queue.topic;

import io.mykit.delay.common.value.TopicPatterns;
import io.mykit.delay.config.ChannelNames;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.config.OnDifference;
import io.mykit.delay.queue.state.TopicDifferences;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics that another node delivers by another channel than this one. While this node leads, they wait, unless the configuration
 * says otherwise. A node has a say about the topics that its {@code delivery.topics} names, by their whole names or by a beginning, and
 * about those to which an operator gave a channel, as it has read them. Its default channel, and the name {@code *}, are no say: they would make all topics wait. A topic that this node lets consumers pull
 * never waits: it rests in its ready list anyway.
 *
 * <p>Any thread calls {@link #see} and {@link #use}, which take turns, and any thread asks. No question blocks, and without a difference
 * each costs one read.
 */
public final class DifferingTopics implements TopicDifferences {
    private static final Logger LOG = LoggerFactory.getLogger(DifferingTopics.class);
    private static final String ANY = "*";

    private volatile Names own;
    private final String defaultChannel;
    private final boolean waits;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Found found = Found.NOTHING;
    /** The names by node, as they were seen last. Guarded by this. */
    private Map<String, Map<String, String>> seen = Map.of();

    public DifferingTopics(DeliveryConfig delivery) {
        this(ChannelNames.byTopic(delivery), delivery.defaultChannel(), delivery.onDifference() == OnDifference.WAIT);
    }

    /**
     * @param byName the channel of each name in {@code delivery.topics}
     * @param defaultChannel the channel of the other topics
     * @param waits false = no topic ever waits
     */
    public DifferingTopics(Map<String, String> byName, String defaultChannel, boolean waits) {
        this.own = Names.of(byName);
        this.defaultChannel = defaultChannel;
        this.waits = waits;
    }

    @Override
    public synchronized void see(Map<String, Map<String, String>> others) {
        if (!waits || others.equals(seen)) {
            return;
        }
        seen = Map.copyOf(others);
        compare();
    }

    /**
     * This node names these channels from now on.
     *
     * @param byName the channel of each name in {@code delivery.topics}, and of each topic to which an operator gave one
     */
    public synchronized void use(Map<String, String> byName) {
        own = Names.of(byName);
        if (waits) {
            compare();
        }
    }

    private void compare() {
        Found before = found;
        found = find(seen);
        if (!found.names().equals(before.names())) {
            tell(before.names(), found.names());
            listeners.forEach(Runnable::run);
        }
    }

    private Found find(Map<String, Map<String, String>> others) {
        Map<String, Difference> differences = new TreeMap<>();
        Map<String, Names> nodes = new TreeMap<>();
        new TreeMap<>(others).forEach((node, byName) -> {
            Names other = Names.of(byName);
            // Between two names, neither node changes the channel.
            Stream.concat(own.names().stream(), other.names().stream())
                    .flatMap(name -> difference(name, node, other.channel(name), own.channel(name)).stream())
                    .forEach(difference -> {
                        differences.putIfAbsent(difference.topic(), difference);
                        nodes.put(node, other);
                    });
        });
        List<String> topics = differences.keySet().stream()
                .filter(Predicate.not(DifferingTopics::isBeginning))
                .toList();
        return new Found(List.copyOf(differences.values()), nodes, topics);
    }

    private Optional<Difference> difference(String topic, String node, Optional<String> said, Optional<String> named) {
        String here = named.orElse(defaultChannel);
        return said.filter(channel -> !here.equals(ChannelNames.PULL) && !channel.equals(here))
                .map(channel -> new Difference(topic, node, channel, here));
    }

    private static void tell(List<Difference> before, List<Difference> now) {
        now.stream()
                .filter(Predicate.not(before::contains))
                .forEach(difference -> LOG.warn(
                        "Topic {}: {}. While this node leads, the topic waits until the nodes have the same delivery.topics;"
                                + " delivery.on-difference=deliver ends the wait",
                        difference.topic(),
                        difference.reason()));
        before.stream()
                .filter(Predicate.not(now::contains))
                .forEach(difference -> LOG.info(
                        "Topic {}: node {} no longer names the channel {}",
                        difference.topic(),
                        difference.node(),
                        difference.channel()));
    }

    @Override
    public Optional<Difference> find(String topic) {
        Found now = found;
        if (now.nodes().isEmpty()) {
            return Optional.empty();
        }
        Optional<String> here = own.ofTopic(topic);
        for (Map.Entry<String, Names> node : now.nodes().entrySet()) {
            Optional<Difference> difference =
                    difference(topic, node.getKey(), node.getValue().ofTopic(topic), here);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    public boolean contains(String topic) {
        return find(topic).isPresent();
    }

    /** No more topics than this differ. */
    public int most() {
        Found now = found;
        return now.topics().size() == now.names().size() ? now.topics().size() : Integer.MAX_VALUE;
    }

    /** The topics that differ, if {@link #most} is few. */
    public List<String> topics() {
        return found.topics();
    }

    @Override
    public List<Difference> names() {
        return found.names();
    }

    /** Adds a listener for changes. It runs on the thread of {@link #see} or {@link #use}. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    private static boolean isBeginning(String name) {
        return name.endsWith(ANY);
    }

    /** The names of a configuration with their channels. Immutable. */
    private record Names(Set<String> names, TopicPatterns<String> all, TopicPatterns<String> beginnings) {
        static Names of(Map<String, String> byName) {
            Map<String, String> beginnings = new TreeMap<>(byName);
            beginnings.keySet().removeIf(name -> !isBeginning(name));
            return new Names(Set.copyOf(byName.keySet()), new TopicPatterns<>(byName), new TopicPatterns<>(beginnings));
        }

        Optional<String> ofTopic(String topic) {
            return all.first(topic);
        }

        /** The channel of a topic, or of the topics with a beginning that have no longer name. */
        Optional<String> channel(String name) {
            return isBeginning(name)
                    ? beginnings.first(name.substring(0, name.length() - ANY.length()))
                    : ofTopic(name);
        }
    }

    /**
     * What was found last. Immutable.
     *
     * @param names the names that differ
     * @param nodes the nodes that name other channels
     * @param topics the names that stand for one topic
     */
    private record Found(List<Difference> names, Map<String, Names> nodes, List<String> topics) {
        static final Found NOTHING = new Found(List.of(), Map.of(), List.of());
    }
}
