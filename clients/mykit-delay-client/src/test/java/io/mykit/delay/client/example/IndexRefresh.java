package io.mykit.delay.client.example;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import java.time.Duration;

public final class IndexRefresh {
    public static void main(String[] endpoints) {
        DelayClient client = DelayClient.builder().endpoints(endpoints).build();
        for (int edit = 1; edit <= 3; edit++) {
            edited(client, "document-7", "edit " + edit);
        }
    }

    /** One message arrives thirty seconds after the last edit. The first edit after that begins again. */
    static void edited(DelayClient client, String document, String text) {
        String id = client.push(Message.builder("search")
                .id("search-" + document)
                .body(text)
                .delay(Duration.ofSeconds(30))
                .replace()
                .build());
        System.out.println(id + ": " + text);
    }
}
