package io.mykit.delay.test.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.delivery.KafkaInbox;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.KafkaServer;
import io.mykit.delay.v1.KafkaTask;
import io.mykit.delay.v1.Task;
import io.mykit.delay.v1.TaskId;
import io.mykit.delay.v1.TaskStatus;
import io.mykit.delay.v1.TaskType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A task for Kafka is a record of its topic, with its project in front. */
@Tag("long")
class GrpcKafkaTaskIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void aTaskIsARecordWithItsKey() {
        int port = FreePorts.next();
        try (KafkaServer kafka = KafkaServer.start(dir.resolve("kafka"), Map.of())) {
            kafka.createTopic("shop.orders", 1, Map.of());
            Map<String, String> settings = Map.of(
                    "grpc-api.port",
                    "" + port,
                    "delivery.topics.shop/*",
                    "kafka",
                    "kafka.bootstrap-servers",
                    kafka.address());
            try (DelayServer server = DelayServer.start("server", dir.resolve("server"), settings);
                    GrpcClient client = new GrpcClient(port);
                    Inbox inbox = new KafkaInbox(kafka.address(), "shop.orders")) {
                client.calls()
                        .createKafkaTask(KafkaTask.newBuilder()
                                .setTriggerAt(1_000_000_000_000L)
                                .setProject("shop")
                                .setTopic("orders")
                                .setKey("customer-7")
                                .setBody(ByteString.copyFromUtf8("not paid"))
                                .setTaskId("k1")
                                .build());
                Arrival arrival = inbox.await(1, PATIENCE).get(0);
                assertThat(arrival.id()).isEqualTo("k1");
                assertThat(arrival.body()).isEqualTo("not paid");
                assertThat(arrival.properties()).containsEntry(KafkaInbox.KEY, "customer-7");
                TaskId id = TaskId.newBuilder().setTaskId("k1").build();
                await().atMost(PATIENCE)
                        .until(() -> client.calls().getTask(id).getTaskStatus() == TaskStatus.SUCCEEDED);
                Task task = client.calls().getTask(id);
                assertThat(task.getTaskType()).isEqualTo(TaskType.KAFKA);
                assertThat(task.getTopic()).isEqualTo("shop/orders");
                assertThat(server.isAlive()).isTrue();
            }
        }
    }
}
