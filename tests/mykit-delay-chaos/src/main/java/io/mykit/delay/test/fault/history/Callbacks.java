package io.mykit.delay.test.fault.history;

import static java.util.stream.Collectors.groupingBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The messages that are delivered as HTTP requests.
 *
 * @param plans by the id of the message
 * @param calls in the order of their arrival
 */
public record Callbacks(Map<String, Callback> plans, List<Call> calls) {
    public static final Callbacks NONE = new Callbacks(Map.of(), List.of());

    /** Empty for a message of the broker. */
    public Optional<Callback> plan(String id) {
        return Optional.ofNullable(plans.get(id));
    }

    /** The requests with a known plan by the ids of their messages, in the order of their arrival. */
    public Map<String, List<Call>> byId() {
        return calls.stream().filter(call -> plans.containsKey(call.id())).collect(groupingBy(Call::id));
    }

    public List<Call> of(String id) {
        return calls.stream().filter(call -> call.id().equals(id)).toList();
    }
}
