package io.mykit.delay.channel.bounded;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A batch cut into parts, each small enough for one send. Messages that can never be sent are not in them. Immutable. */
public final class BatchParts {
    private final BatchFates fates;
    private final List<Part> parts = new ArrayList<>();

    /**
     * Cuts a batch and keeps its order.
     *
     * @param objection the reason why a message can never be sent; such a message is REFUSED here
     * @param bytes the size of a message
     * @param maxBytes the maximum of one part; a larger message is a part of its own
     */
    public BatchParts(
            List<DelayMessage> batch,
            Function<DelayMessage, Optional<String>> objection,
            ToLongFunction<DelayMessage> bytes,
            long maxBytes) {
        fates = new BatchFates(batch.size());
        List<Integer> places = new ArrayList<>();
        long sum = 0;
        for (int place = 0; place < batch.size(); place++) {
            DelayMessage message = batch.get(place);
            Optional<String> refused = objection.apply(message);
            if (refused.isPresent()) {
                fates.set(place, Delivery.refused(refused.get()));
                continue;
            }
            long size = bytes.applyAsLong(message);
            if (!places.isEmpty() && sum + size > maxBytes) {
                parts.add(new Part(batch, places));
                places = new ArrayList<>();
                sum = 0;
            }
            places.add(place);
            sum += size;
        }
        if (!places.isEmpty()) {
            parts.add(new Part(batch, places));
        }
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    List<Part> parts() {
        return parts;
    }

    BatchFates fates() {
        return fates;
    }

    /** Some messages of a batch. */
    record Part(List<DelayMessage> batch, List<Integer> places) {
        List<DelayMessage> messages() {
            return places.stream().map(batch::get).toList();
        }

        int size() {
            return places.size();
        }

        Part firstHalf() {
            return new Part(batch, places.subList(0, size() / 2));
        }

        Part secondHalf() {
            return new Part(batch, places.subList(size() / 2, size()));
        }
    }
}
