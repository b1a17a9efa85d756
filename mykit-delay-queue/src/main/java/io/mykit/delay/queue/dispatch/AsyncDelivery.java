package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.trace.SendSpans;
import io.mykit.delay.queue.trace.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers batches to channels whose fates become known one by one ({@link AsyncDeliveryChannel}). One object for each term;
 * thread-safe.
 *
 * <p>A batch ends for its topic as soon as it is on its way, so that a slow message holds up no other one. A probe, and a
 * batch of a topic with too many messages in flight, end when their fates are known; a probe without a fate ends after two seconds,
 * too. Each fate is recorded when it is known. The leases of messages in flight are extended ({@link LeaseExtender}).
 */
final class AsyncDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(AsyncDelivery.class);

    private final LeaderTerm term;
    private final BatchDelivery delivery;
    private final OwnedBuckets buckets;
    private final Sending sending;
    private final Flights flights;
    private final RestingTopics resting;
    private final Pulse pulse;
    private final LeaseClock leases;
    private final Later later;

    /** @param resting messages of these topics are not sent, although the channel has them already */
    AsyncDelivery(
            LeaderTerm term,
            BatchDelivery delivery,
            OwnedBuckets buckets,
            Sending sending,
            Flights flights,
            RestingTopics resting,
            Pulse pulse,
            LeaseClock leases,
            Later later) {
        this.term = term;
        this.resting = resting;
        this.pulse = pulse;
        this.leases = leases;
        this.later = later;
        this.delivery = delivery;
        this.buckets = buckets;
        this.sending = sending;
        this.flights = flights;
    }

    /**
     * Lets the messages wait whose receivers are full, before their rows are looked at. Those stay about which the rows decide: messages that
     * have expired, and those that may have ended already.
     *
     * @param taken without these messages after the call
     * @return the number of these messages
     * @throws RuntimeException if the index did not take all of them
     */
    int turnAway(Outlet outlet, List<Leased> taken) {
        if (!(outlet.channel() instanceof AsyncDeliveryChannel channel)) {
            return 0;
        }
        Map<String, Leased> waiting = new HashMap<>();
        for (Leased leased : leases.held(taken)) {
            if (!sending.isExpired(leased) && !buckets.isDoubtful(leased.bucket(), leased.id())) {
                channel.full(leased.message())
                        .ifPresent(full -> waiting.put(leased.id(), sending.turnedAway(outlet, leased, full)));
            }
        }
        buckets.postpone(Leased.byBucket(waiting.values()), Set.of());
        taken.removeIf(leased -> waiting.containsKey(leased.id()));
        return waiting.size();
    }

    /**
     * Sends a batch.
     *
     * @param probe whether the batch must be over before the next one begins
     * @param executor runs the record of the fates
     * @param listener is called after this call has returned, or by it
     */
    void begin(
            AsyncDeliveryChannel channel,
            Outlet outlet,
            BatchDelivery.Batch admitted,
            boolean probe,
            Executor executor,
            FlightListener listener) {
        BatchDelivery.Batch batch = delivery.renewed(outlet.topic(), admitted);
        List<Leased> live = sending.dropExpired(batch.open(), batch.outcomes());
        delivery.record(outlet.topic(), batch.outcomes());
        Verdict held = batch.held();
        if (live.isEmpty()) {
            // All have expired: the next batch clears as many as it can take.
            listener.ended().accept(Verdict.USABLE.and(held));
            return;
        }
        // Before the flight: a tracer that throws leaves none open.
        List<Span> spans = live.stream()
                .map(leased -> sending.traces.begin(outlet, List.of(leased), batch.outcomes()))
                .toList();
        Flight flight = new Flight(outlet, live, batch.outcomes(), leases, listener);
        CompletableFuture<Verdict> ended = new CompletableFuture<>();
        flights.begun(flight, probe, ended::complete);
        outlet.measured().began(live.size());
        List<CompletableFuture<Delivery>> fates = send(channel, flight, live, spans, batch.outcomes());
        for (int i = 0; i < live.size(); i++) {
            Leased leased = live.get(i);
            Span span = spans.get(i);
            CompletableFuture<?> unused = fates.get(i).whenComplete((fate, failure) -> {
                Delivery known = known(fate, failure);
                land(flight, leased, known, executor);
                SendSpans.end(span, List.of(known));
            });
        }
        // Not before the send: the places that a batch of a limited topic does not use are free when it ends.
        CompletableFuture<?> unused =
                ended.thenAccept(verdict -> listener.ended().accept(held.and(verdict)));
    }

    private static Delivery known(Delivery fate, Throwable failure) {
        return failure == null && fate != null
                ? fate
                : Delivery.unclear(failure == null ? "the channel answered null" : Reasons.of(failure));
    }

    private List<CompletableFuture<Delivery>> send(
            AsyncDeliveryChannel channel, Flight flight, List<Leased> live, List<Span> spans, BatchOutcomes outcomes) {
        try {
            List<Outgoing> outgoing = new ArrayList<>(live.size());
            for (int i = 0; i < live.size(); i++) {
                Leased leased = live.get(i);
                outgoing.add(SendSpans.carrying(
                        spans.get(i), sending.outgoing(leased, outcomes, () -> maySend(flight, leased))));
            }
            List<CompletableFuture<Delivery>> fates = List.copyOf(channel.send(flight.topic(), outgoing));
            if (fates.size() != live.size()) {
                throw new IllegalStateException(
                        "the channel answered " + fates.size() + " futures for " + live.size() + " messages");
            }
            return fates;
        } catch (RuntimeException | Error e) {
            LOG.warn("Topic {}: the channel threw; its messages are tried again", flight.topic(), e);
            return live.stream()
                    .map(leased -> CompletableFuture.completedFuture(Delivery.unclear(Reasons.of(e))))
                    .toList();
        }
    }

    private boolean maySend(Flight flight, Leased leased) {
        if (!pulse.beats()) {
            flight.stalled();
            return false;
        }
        // In this order: after the end of the term, a message that was not noted before is given back and not sent.
        flight.sending(leased.id());
        return term.isActive()
                && flight.isLeased(leased.id())
                && !resting.contains(flight.topic())
                && !sending.isExpired(leased);
    }

    private void land(Flight flight, Leased leased, Delivery fate, Executor executor) {
        if (flight.landed(leased, fate)) {
            judgeSoon(flight, executor);
        }
    }

    private void judgeSoon(Flight flight, Executor executor) {
        Runnable judge = () -> judge(flight, executor);
        try {
            executor.execute(judge);
        } catch (RejectedExecutionException e) {
            LOG.debug("The term is over; the next leader finds the messages in flight", e);
        } catch (Error e) {
            judge.run();
            LOG.error(
                    "Topic {}: no thread could be started for outcomes; the channel's thread recorded them",
                    flight.topic(),
                    e);
        }
    }

    private void judge(Flight flight, Executor executor) {
        try {
            flight.judge((landed, outcomes) -> judge(flight, landed, outcomes));
        } catch (RuntimeException | Error e) {
            // First: the log may fail as well, if the memory is used up.
            later.again(() -> {
                if (flight.hasLanded()) {
                    judgeSoon(flight, executor);
                }
            });
            LOG.error("Topic {}: outcomes could not be recorded; the next try is in a second", flight.topic(), e);
        }
    }

    private void judge(Flight flight, List<Flight.Landing> landed, BatchOutcomes outcomes) {
        List<Leased> messages = landed.stream().map(Flight.Landing::leased).toList();
        Verdict verdict = Verdict.UNKNOWN;
        try {
            for (Flight.Landing landing : landed) {
                flight.outlet().measured().answered(landing.nanos());
                verdict = verdict.and(judge(flight, landing, outcomes));
            }
            delivery.record(flight.topic(), outcomes);
        } catch (RuntimeException | Error e) {
            buckets.abandon(Leased.idsByBucket(messages));
            verdict = Verdict.unavailable(e.toString());
        }
        flights.landed(flight, messages, verdict);
        flight.listener().landed().accept(verdict, outcomes);
    }

    private Verdict judge(Flight flight, Flight.Landing landing, BatchOutcomes outcomes) {
        List<Leased> message = List.of(landing.leased());
        boolean sent = landing.fate().kind() != Delivery.Kind.UNAVAILABLE;
        if (!sent && sending.dropExpired(message, outcomes).isEmpty()) {
            // The channel may have kept it for a place, until its ttl ended.
            return Verdict.UNKNOWN;
        }
        Verdict verdict = sending.judge(flight.outlet(), message, List.of(landing.fate()), outcomes);
        return verdict.isUnavailable() && flight.wasStalled() ? Verdict.stalled(verdict.why()) : verdict;
    }

    Flights flights() {
        return flights;
    }

    /** Gives back the messages that wait in a channel. The term is already over, so the channel does not send them any more. */
    void giveBackUnsent() {
        flights.open().forEach(flight -> buckets.abandon(leases.heldIds(flight.unsent())));
    }
}
