package io.mykit.delay.controller.search;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.search.DueCount;
import io.mykit.delay.queue.search.DueHistogram;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers {@code GET /due} from the last count. */
final class DueHandler implements CallHandler {
    static final ParameterNames PARAMETERS = ParameterNames.of("slots");

    private static final Pattern RUN = Pattern.compile("([^:,]+):([0-9]{1,4})");
    private static final String DEFAULT = "60s:60,1h:24,1d:30";
    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final int MAX_SLOTS = 400;

    private final Supplier<DueCount> census;
    private final InstantSource clock;

    DueHandler(Supplier<DueCount> census, InstantSource clock) {
        this.census = census;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        List<Duration> widths = widths(call.parameters().text("slots").orElse(DEFAULT));
        return CompletableFuture.completedFuture(Envelope.success(data(census.get(), widths, clock.millis())));
    }

    private static List<Duration> widths(String text) {
        List<Duration> widths = new ArrayList<>();
        for (String run : text.split(",", -1)) {
            Matcher parts = RUN.matcher(run);
            if (!parts.matches()) {
                throw invalid("slots must be widths with their numbers, such as " + DEFAULT);
            }
            Duration width = FieldRules.range("slots", FieldRules.duration("slots", parts.group(1)), SHORTEST, LONGEST);
            int count = Integer.parseInt(parts.group(2));
            if (count == 0 || widths.size() + count > MAX_SLOTS) {
                throw invalid("slots must be from 1 to " + MAX_SLOTS + " in all");
            }
            for (int i = 0; i < count; i++) {
                widths.add(width);
            }
        }
        return widths;
    }

    private static Map<String, Object> data(DueCount count, List<Duration> widths, long nowMs) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("asOf", nowMs);
        data.put("countedAt", count.counted().map(DueHistogram::countedAtMs).orElse(null));
        data.put("running", count.running());
        data.put(
                "done",
                count.running()
                        ? (count.done().isPresent() ? (Object) count.done().getAsDouble() : null)
                        : count.counted().map(any -> (Object) 1.0).orElse(null));
        DueHistogram counted = count.counted().orElse(null);
        if (counted == null) {
            // Unknown numbers are no zeros.
            data.put("overdue", null);
            data.put("slots", null);
            data.put("later", null);
            return data;
        }
        data.put("overdue", tiers(counted.overdue(), new LinkedHashMap<>()));
        List<Map<String, Object>> slots = new ArrayList<>();
        // The classes of the count begin with full minutes.
        long from = nowMs - Math.floorMod(nowMs, SHORTEST.toMillis());
        for (Duration width : widths) {
            long to = from + width.toMillis();
            Map<String, Object> slot = new LinkedHashMap<>();
            slot.put("from", from);
            slot.put("to", to);
            slots.add(tiers(counted.between(from, to), slot));
            from = to;
        }
        data.put("slots", slots);
        data.put("later", tiers(counted.from(from), new LinkedHashMap<>()));
        return data;
    }

    private static Map<String, Object> tiers(DueHistogram.Tiers tiers, Map<String, Object> into) {
        into.put("near", tiers.near());
        into.put("far", tiers.far());
        return into;
    }
}
