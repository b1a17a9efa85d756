package io.mykit.delay.grpc.task;

import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.v1.TaskType;
import java.util.Arrays;

/** The kinds of tasks, and the channels that take them. */
enum TaskKind {
    GRPC("grpc", TaskType.GRPC),
    HTTP("webhook", TaskType.HTTP),
    KAFKA("kafka", TaskType.KAFKA);

    private final String channel;
    private final TaskType type;

    TaskKind(String channel, TaskType type) {
        this.channel = channel;
        this.type = type;
    }

    /** The type of what goes to this channel. */
    static TaskType typeOf(String channel) {
        return Arrays.stream(values())
                .filter(kind -> kind.channel.equals(channel))
                .findFirst()
                .map(kind -> kind.type)
                .orElse(TaskType.OTHER);
    }

    /**
     * @param given the channel of the topic
     * @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST: such a task could never be delivered
     */
    void require(String topic, String given) {
        if (!given.equals(channel)) {
            throw FieldRules.invalid(
                    "the topic " + topic + " leads to the channel " + given + ", which takes no tasks of type " + type
                            + "; set mykit.delay.delivery.topics." + topic + ": " + channel);
        }
    }
}
