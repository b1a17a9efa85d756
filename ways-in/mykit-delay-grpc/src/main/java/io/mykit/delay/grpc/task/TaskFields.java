package io.mykit.delay.grpc.task;

import static io.mykit.delay.common.message.FieldRules.invalid;

import com.google.protobuf.ByteString;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.RetryLimits;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.grpc.push.PushFields;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.v1.GrpcBodyFormat;
import io.mykit.delay.v1.GrpcTask;
import io.mykit.delay.v1.HttpTask;
import io.mykit.delay.v1.KafkaTask;
import io.mykit.delay.v1.RetryInfo;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Makes the push of a task. A refusal names the field of the task, as JSON has it ({@code triggerAt}); the channel of the topic names the
 * fields of the push's target ({@code target.host}). Stateless.
 */
final class TaskFields {
    private static final String DEFAULT_GROUP = "tasks";
    private static final long MAX_INTERVAL_SECONDS = TimeUnit.MILLISECONDS.toSeconds(RetryLimits.MAX_GAP_MS);

    private final PushFields fields;

    TaskFields(PushFields fields) {
        this.fields = fields;
    }

    NewPush of(GrpcTask task) {
        if (task.getFormat() == GrpcBodyFormat.UNRECOGNIZED) {
            throw invalid("format " + task.getFormatValue() + " is unknown; known are PROTOBUF (0) and JSON (1)");
        }
        return push(task.getTaskId(), task.getTriggerAt(), task.getTtl(), task.getBody(), task.getHeadersMap())
                .retry(retry(task.hasRetry(), task.getRetry()))
                .topic(topic(task.getProject(), group(task.getGroup())))
                .target("host", required("host", task.getHost()))
                .target("service", required("service", task.getService()))
                .target("method", required("method", task.getMethod()))
                .target("format", task.getFormat().name());
    }

    NewPush of(HttpTask task) {
        NewPush push = push(task.getTaskId(), task.getTriggerAt(), task.getTtl(), task.getBody(), task.getHeadersMap())
                .retry(retry(task.hasRetry(), task.getRetry()))
                .topic(topic(task.getProject(), group(task.getGroup())))
                .target("url", required("url", task.getUrl()));
        if (!task.getMethod().isEmpty()) {
            push.target("method", task.getMethod());
        }
        return push;
    }

    NewPush of(KafkaTask task) {
        if (!task.getGroup().isEmpty()) {
            throw invalid("group must be empty: the topic of a task for Kafka is that of its record");
        }
        return push(task.getTaskId(), task.getTriggerAt(), task.getTtl(), task.getBody(), task.getHeadersMap())
                .retry(retry(task.hasRetry(), task.getRetry()))
                .topic(topic(task.getProject(), required("topic", task.getTopic())))
                .bizKey(FieldRules.name("key", task.getKey(), MessageLimits.MAX_BIZ_KEY));
    }

    private NewPush push(
            String taskId, long triggerAtMs, long ttlSeconds, ByteString body, Map<String, String> headers) {
        if (triggerAtMs <= 0) {
            throw invalid("triggerAt is required: epoch milliseconds; " + triggerAtMs + " is no time");
        }
        NewPush push = new NewPush()
                .id(FieldRules.name("taskId", taskId, MessageLimits.MAX_ID))
                .triggerAt(triggerAtMs)
                .ttl(ttlSeconds);
        fields.body(push, body);
        headers.forEach(push::header);
        return push;
    }

    private static String group(String group) {
        if (group.contains("/")) {
            throw invalid("group must not contain /");
        }
        return group.isEmpty() ? DEFAULT_GROUP : group;
    }

    private static String topic(String project, String rest) {
        if (project.contains("/")) {
            throw invalid("project must not contain /");
        }
        return project.isEmpty() ? rest : project + "/" + rest;
    }

    private static String required(String field, String text) {
        if (text.isEmpty()) {
            throw invalid(field + " is required");
        }
        return text;
    }

    private static RetryOptions retry(boolean given, RetryInfo retry) {
        if (!given) {
            return RetryOptions.NONE;
        }
        long count = FieldRules.range("retry.count", retry.getCount(), RetryLimits.MAX_ATTEMPTS - 1L);
        long seconds = FieldRules.range("retry.interval", retry.getInterval(), MAX_INTERVAL_SECONDS);
        long intervalMs = TimeUnit.SECONDS.toMillis(seconds);
        // The longest gap of the topic's policy would shorten an interval.
        return new RetryOptions((int) count + 1, intervalMs, 1.0, intervalMs, null, null);
    }
}
