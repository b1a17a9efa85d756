package io.mykit.delay.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.controller.console.Asset;
import io.mykit.delay.queue.overview.ActingCall;
import io.mykit.delay.queue.overview.Overviews;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Overviews that tell what was asked, and the files of a small console. */
final class StubOverviews implements Overviews {
    static final String PAGE = "<!doctype html>page";

    volatile boolean storeUp = true;
    final List<ActingCall> called = new CopyOnWriteArrayList<>();
    final List<String> stopped = new CopyOnWriteArrayList<>();

    static Optional<Asset> asset(String path) {
        return switch (path) {
            case "" ->
                Optional.of(new Asset(
                        PAGE.getBytes(UTF_8), new byte[] {31, 1}, "text/html; charset=utf-8", "\"p\"", false));
            case "a/1/app.js" ->
                Optional.of(new Asset(
                        "js".getBytes(UTF_8), new byte[] {31, 2}, "text/javascript; charset=utf-8", "\"j\"", true));
            default -> Optional.empty();
        };
    }

    @Override
    public Map<String, Object> overview() {
        return Map.of("answeredBy", "stub", "parts", Map.of("store", Map.of("up", storeUp)));
    }

    @Override
    public Map<String, Object> series(long sinceMs) {
        return Map.of("since", sinceMs);
    }

    @Override
    public Map<String, Object> series(String topic, long sinceMs) {
        return Map.of("topic", topic + " " + sinceMs);
    }

    @Override
    public Map<String, Object> operations() {
        return Map.of("work", List.of());
    }

    @Override
    public String workId(long number) {
        return "stub-" + number;
    }

    @Override
    public void called(ActingCall call) {
        called.add(call);
    }

    @Override
    public StopResult stop(String id) {
        stopped.add(id);
        return switch (id) {
            case "a-1" -> StopResult.STOPPING;
            case "own-1" -> StopResult.NOT_STOPPABLE;
            default -> StopResult.UNKNOWN;
        };
    }
}
