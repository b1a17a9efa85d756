package io.mykit.delay.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Pulls the messages of a topic, and acknowledges them. */
final class Pulled {
    private Pulled() {}

    /** Until there are so many, and then until there are no more. */
    static List<JSONObject> all(DelayClient client, String topic, int count) {
        List<JSONObject> all = new ArrayList<>();
        long end = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        while (System.nanoTime() < end) {
            Answer answer = client.post(
                    "/pull",
                    JSON.toJSONString(
                            Map.of("topic", topic, "count", 100, "wait", all.size() < count ? "2s" : "500ms")));
            if (answer.status() != 200) {
                continue;
            }
            JSONArray pulled = answer.json().getJSONArray("data");
            if (pulled.isEmpty()) {
                if (all.size() >= count) {
                    return all;
                }
                continue;
            }
            List<Map<String, String>> items = new ArrayList<>();
            for (int i = 0; i < pulled.size(); i++) {
                JSONObject message = pulled.getJSONObject(i);
                all.add(message);
                items.add(Map.of("id", message.getString("id"), "receipt", message.getString("receipt")));
            }
            assertThat(client.post("/ack", JSON.toJSONString(Map.of("items", items)))
                            .status())
                    .isEqualTo(200);
        }
        return all;
    }
}
