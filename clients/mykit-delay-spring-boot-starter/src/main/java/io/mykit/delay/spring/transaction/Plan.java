package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.PushResult;
import io.mykit.delay.spring.call.Key;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The calls of a committed transaction, merged: a cancel takes back the sends before it, a reschedule changes the send before
 * it. First come the cancels and the reschedules in their order, then the sends. So the calls on one id keep their order,
 * because none of the former is left that comes after a send of its id. One thread.
 */
final class Plan {
    private final List<Call<?>> calls = new ArrayList<>();
    /** By id. An id has several if it is sent again. */
    private final Map<String, List<Sending>> sendings = new LinkedHashMap<>();

    private Plan() {}

    static Plan of(List<PendingCall> made) {
        Plan plan = new Plan();
        for (PendingCall call : made) {
            if (call instanceof PendingCall.Push push) {
                Sending sending = new Sending(push.draft());
                plan.sendings
                        .computeIfAbsent(sending.message().id(), id -> new ArrayList<>())
                        .add(sending);
            } else if (call instanceof PendingCall.Cancel cancel) {
                plan.add(cancel);
            } else if (call instanceof PendingCall.Reschedule reschedule) {
                plan.add(reschedule);
            } else if (call instanceof PendingCall.KeyCancel cancel) {
                plan.add(cancel);
            } else if (call instanceof PendingCall.KeyReschedule reschedule) {
                plan.add(reschedule);
            }
        }
        return plan;
    }

    private void add(PendingCall.Cancel cancel) {
        String id = cancel.id();
        if (!sendings.containsKey(id)) {
            calls.add(new Call<>("cancel", id, cancel.result(), client -> client.cancel(id)));
        } else if (withdraw(id)) {
            calls.add(new Call<>("cancel", id, cancel.result(), client -> cancelWithdrawn(client, id)));
        } else {
            cancel.result().complete(CancelResult.CANCELLED);
        }
    }

    private void add(PendingCall.KeyCancel cancel) {
        // The server does not know the sends of this transaction.
        List<String> own = sent(cancel.key()).stream().filter(this::withdraw).toList();
        calls.add(new Call<>("cancel " + cancel.key().topic(), shown(cancel.key()), cancel.result(), client -> {
            List<KeyedResult<CancelResult>> results = new ArrayList<>();
            for (String id : own) {
                results.add(new KeyedResult<>(id, Optional.of(cancelWithdrawn(client, id)), Optional.empty()));
            }
            results.addAll(cancel.key().of(client).cancel());
            return List.copyOf(results);
        }));
    }

    /** Takes the sends of this id back. Returns whether the server may have an earlier message of this id. */
    private boolean withdraw(String id) {
        List<Sending> withdrawn = sendings.remove(id);
        withdrawn.forEach(Sending::end);
        return withdrawn.stream().allMatch(Sending::hasOwnId);
    }

    /** An earlier message would have been replaced or repeated by the send. Without one, the send was the message. */
    private static CancelResult cancelWithdrawn(DelayClient client, String id) {
        CancelResult result = client.cancel(id);
        return result == CancelResult.NOT_FOUND ? CancelResult.CANCELLED : result;
    }

    private void add(PendingCall.Reschedule reschedule) {
        String id = reschedule.id();
        if (sendings.containsKey(id)) {
            last(id).move(reschedule);
        } else {
            calls.add(new Call<>("reschedule", id, reschedule.result(), client -> reschedule
                    .dueTime()
                    .move(client, id)));
        }
    }

    private void add(PendingCall.KeyReschedule reschedule) {
        sent(reschedule.key()).forEach(id -> last(id).move(reschedule.dueTime()));
        calls.add(new Call<>(
                "reschedule " + reschedule.key().topic(),
                shown(reschedule.key()),
                reschedule.result(),
                client -> reschedule.dueTime().move(client, reschedule.key())));
    }

    private static String shown(Key key) {
        return "bizKey=" + key.bizKey();
    }

    /** The ids of the sends that have this business key in the end. */
    private List<String> sent(Key key) {
        return sendings.keySet().stream()
                .filter(id -> key.isOf(last(id).message()))
                .toList();
    }

    private Sending last(String id) {
        List<Sending> ofId = sendings.get(id);
        return ofId.get(ofId.size() - 1);
    }

    /** Goes on after a refusal, and ends after an outage. Throws the first failure. */
    void carryOut(DelayClient client) {
        Failures failures = new Failures();
        for (Call<?> call : calls) {
            if (!failures.isSkipped(call)) {
                try {
                    call.run(client, failures);
                } catch (RuntimeException e) {
                    failures.note(call, e);
                }
            }
        }
        for (List<Sending> batch : batches()) {
            push(batch, client, failures);
        }
        failures.throwIfAny();
    }

    /** The first sends of all ids, then the second ones: a batch has an id once. */
    private List<List<Sending>> batches() {
        List<List<Sending>> batches = new ArrayList<>();
        for (List<Sending> ofId : sendings.values()) {
            for (int i = 0; i < ofId.size(); i++) {
                if (i == batches.size()) {
                    batches.add(new ArrayList<>());
                }
                batches.get(i).add(ofId.get(i));
            }
        }
        return batches;
    }

    private void push(List<Sending> batch, DelayClient client, Failures failures) {
        List<Sending> tried =
                batch.stream().filter(sending -> !failures.isSkipped(sending)).toList();
        try {
            if (tried.size() == 1) {
                var unused = client.push(tried.get(0).message());
                tried.get(0).end();
            } else if (!tried.isEmpty()) {
                List<PushResult> results =
                        client.pushAll(tried.stream().map(Sending::message).toList());
                for (int i = 0; i < tried.size(); i++) {
                    Sending sending = tried.get(i);
                    results.get(i).failure().ifPresentOrElse(failure -> failures.note(sending, failure), sending::end);
                }
            }
        } catch (RuntimeException e) {
            tried.forEach(sending -> failures.note(sending, e));
        }
    }
}
