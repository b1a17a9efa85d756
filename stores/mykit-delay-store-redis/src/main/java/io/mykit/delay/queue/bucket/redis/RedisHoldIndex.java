package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HeldMessage;
import io.mykit.delay.queue.bucket.Hold;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.HoldReceipt;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.bucket.ReadyListener;
import io.mykit.delay.queue.bucket.TopicCensus;
import io.mykit.delay.queue.bucket.TopicCount;
import io.mykit.delay.queue.bucket.TopicCounts;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The messages that consumers pull, on Redis. Each call goes to the class that implements it. Thread-safe. */
final class RedisHoldIndex implements HoldIndex {
    private final BucketCount layout;
    private final HandOuts handOuts;
    private final HoldScripts scripts;
    private final TopicReads reads;
    private final HolderReads holders;
    private final BoardReads board;
    private final Wakes wakes;

    RedisHoldIndex(BucketCount layout, BucketCalls calls, Wakes wakes) {
        this.layout = layout;
        this.handOuts = new HandOuts(layout, calls, wakes);
        this.scripts = new HoldScripts(layout, calls, wakes);
        this.reads = new TopicReads(layout, calls);
        this.holders = new HolderReads(layout, calls);
        this.board = new BoardReads(layout, calls);
        this.wakes = wakes;
    }

    @Override
    public int buckets() {
        return layout.agreed().buckets();
    }

    @Override
    public List<Handout> handOut(
            Collection<Integer> buckets, String topic, Portion each, Duration hold, String receipt) {
        return handOuts.run(buckets, topic, each, hold, receipt);
    }

    @Override
    public Map<String, HoldState> holds(Collection<Held> sought) {
        return scripts.holds(sought);
    }

    @Override
    public void rename(Map<Held, String> receipts) {
        scripts.rename(receipts);
    }

    @Override
    public Map<String, Hold> find(Collection<String> ids) {
        return scripts.find(ids);
    }

    @Override
    public List<HeldMessage> held(String topic, int limit) {
        return holders.held(topic, limit);
    }

    @Override
    public List<HoldReceipt> receipts(String topic, int most) {
        return holders.receipts(topic, most);
    }

    @Override
    public Map<String, String> forget(Collection<Held> ended) {
        return scripts.forget(ended);
    }

    @Override
    public Map<String, Long> extend(Collection<Held> held, Duration hold) {
        return scripts.extend(held, hold);
    }

    @Override
    public Set<String> postpone(Map<Held, DelayMessage> messages, boolean consumed) {
        return scripts.postpone(messages, consumed);
    }

    @Override
    public Set<String> release(Collection<Held> held, boolean consumed) {
        return scripts.release(held, consumed);
    }

    @Override
    public Map<String, String> park(Map<Held, ParkedOutcome> outcomes) {
        return scripts.park(outcomes);
    }

    @Override
    public Map<Integer, Long> ready(String topic) {
        return reads.ready(topic);
    }

    @Override
    public Map<Integer, Set<String>> readyTopics() {
        return reads.readyTopics();
    }

    @Override
    public List<TopicCensus> topics(String prefix, String after, int limit) {
        return reads.topics(prefix, after, limit);
    }

    @Override
    public Set<String> names(Collection<String> beginnings) {
        return reads.names(beginnings);
    }

    @Override
    public TopicCounts counts(int most) {
        return board.counts(most);
    }

    @Override
    public List<TopicCount> counts(List<String> names) {
        return board.counts(names);
    }

    @Override
    public List<TopicCensus> topics(List<String> names) {
        return reads.topics(names);
    }

    @Override
    public List<DelayMessage> peek(String topic, Location where, int limit) {
        return reads.peek(topic, where, limit);
    }

    @Override
    public void onReady(ReadyListener listener) {
        wakes.add(listener);
    }
}
