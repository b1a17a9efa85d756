package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.BusyTopics;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** Moves due messages of a bucket. Thread-safe. */
final class BucketScan {
    /** The bound on the bytes of pool values that one script reads. */
    static final byte[] MAX_BYTES = share(1);

    /** The share of this bound for one bucket, if a batch or a scan takes from so many buckets. */
    static byte[] share(int buckets) {
        return Replies.bytes(BodyBounds.TOGETHER / buckets);
    }

    /** If more topics are busy, a scan gets the names of those only that it can meet. */
    static final int MAX_NAMES = 100;

    private static final byte[] EARLIEST = Replies.bytes("-inf");
    private static final byte[] LIMIT = Replies.bytes("LIMIT");
    private static final byte[] FIRST = Replies.bytes(0);

    /** Ends the excluded topics; no topic is empty. */
    private static final byte[] END_OF_TOPICS = {};

    private final BucketCalls calls;
    private final Wakes wakes;
    private final LongSupplier latestDueMicros;

    /** @param latestDueMicros see {@link io.mykit.delay.common.time.ClusterClock#latestDueMicros()} */
    BucketScan(BucketCalls calls, Wakes wakes, LongSupplier latestDueMicros) {
        this.calls = calls;
        this.wakes = wakes;
        this.latestDueMicros = latestDueMicros;
    }

    /**
     * One script for each bucket, pipelined. If very many topics are busy, a read of each bucket goes before it: which of them have due
     * messages.
     *
     * @param claims in the order of the buckets
     * @return in the order of the buckets
     */
    List<Answer<ScanResult>> moveDue(List<BucketKeys> buckets, List<Claim> claims, int limit, Handover handover) {
        byte[] share = share(buckets.size());
        byte[] latestDue = Replies.bytes(latestDueMicros.getAsLong());
        List<Answer<Collection<String>>> excluded = excluded(buckets, claims, limit, handover.except());
        List<BucketKeys> asked = new ArrayList<>(buckets.size());
        List<RedisCall> scans = new ArrayList<>(buckets.size());
        for (int i = 0; i < buckets.size(); i++) {
            if (excluded.get(i).failure() != null) {
                continue;
            }
            BucketKeys keys = buckets.get(i);
            Claim claim = claims.get(i);
            List<byte[]> arguments = new ArrayList<>();
            arguments.add(claim.exactly());
            arguments.add(Replies.bytes(limit));
            arguments.add(share);
            arguments.add(Replies.bytes(handover.lease().toMillis()));
            arguments.add(Replies.bytes(handover.limit()));
            arguments.add(latestDue);
            excluded.get(i).value().forEach(topic -> arguments.add(Replies.bytes(topic)));
            addPulled(handover.pulled(), keys.bucket, arguments);
            byte[][] scriptKeys = {keys.epoch, keys.heads, keys.pool, keys.topics, keys.lease};
            asked.add(keys);
            scans.add(BucketCalls.call(LuaScript.MOVE_DUE, scriptKeys, arguments.toArray(byte[][]::new))
                    .onlyTo(claim.server()));
        }
        Iterator<Answer<ScanResult>> scanned = calls.askEach(
                        asked, scans, (keys, reply) -> result(keys, Replies.list(reply), handover))
                .iterator();
        return excluded.stream()
                .map(names -> names.failure() == null
                        ? scanned.next()
                        : Answer.<ScanResult>failed(names.bucket(), names.failure()))
                .toList();
    }

    /**
     * The busy topics that the scan of each bucket can meet. A scan looks at the first heads only, so these are few. If a topic gets its
     * first due message after this read, the scan takes the message and the leader gives it back, as it does if a topic becomes busy
     * during a scan.
     */
    private List<Answer<Collection<String>>> excluded(
            List<BucketKeys> buckets, List<Claim> claims, int limit, BusyTopics busy) {
        Optional<Collection<String>> all = busy.names(MAX_NAMES);
        if (all.isPresent()) {
            return buckets.stream()
                    .map(keys -> Answer.of(keys.bucket, all.get()))
                    .toList();
        }
        // The leader's time is ahead of the time of the scan, most likely.
        byte[] upper = Replies.bytes(latestDueMicros.getAsLong() / 1000 + 1);
        List<RedisCall> heads = new ArrayList<>(buckets.size());
        for (int i = 0; i < buckets.size(); i++) {
            byte[][] range = {buckets.get(i).heads, EARLIEST, upper, LIMIT, FIRST, Replies.bytes(limit)};
            heads.add(RedisCall.command("ZRANGEBYSCORE", range)
                    .onlyTo(claims.get(i).server()));
        }
        return calls.askEach(buckets, heads, (keys, due) -> Replies.list(due).stream()
                .map(Replies::text)
                .filter(busy::contains)
                .toList());
    }

    private ScanResult result(BucketKeys keys, List<?> reply, Handover handover) {
        Set<String> filled = new HashSet<>();
        Replies.list(reply.get(3)).forEach(topic -> filled.add(Replies.text(topic)));
        filled.stream().filter(handover.pulled()::contains).forEach(topic -> wakes.tellReady(keys.bucket, topic));
        List<DelayMessage> taken = TakenMessages.read(keys.bucket, Replies.list(reply.get(4)), 0);
        return new ScanResult(
                (int) Replies.number(reply.get(0)),
                filled,
                taken,
                Replies.number(reply.get(1)),
                Replies.number(reply.get(2)));
    }

    /** Adds nothing if consumers pull no topic. */
    private void addPulled(PulledTopics pulled, int bucket, List<byte[]> arguments) {
        if (pulled.isEmpty()) {
            return;
        }
        arguments.add(END_OF_TOPICS);
        arguments.add(wakes.channel());
        arguments.add(wakes.notice(bucket));
        for (PulledTopics.Rule rule : pulled.rules()) {
            String kind = rule.beginning() ? "b" : "e";
            arguments.add(Replies.bytes((rule.pulled() ? kind.toUpperCase(Locale.ROOT) : kind) + rule.text()));
        }
    }
}
