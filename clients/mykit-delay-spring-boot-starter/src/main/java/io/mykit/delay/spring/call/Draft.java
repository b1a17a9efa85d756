package io.mykit.delay.spring.call;

import io.mykit.delay.client.Message;
import java.util.function.Consumer;

/**
 * A message that is not pushed yet.
 *
 * @param builder makes the same message again, with another due time
 * @param hasOwnId whether the application gave the id. Then the server may have an earlier message of this id
 */
public record Draft(Message message, Message.Builder builder, boolean hasOwnId) {
    /** @param options of the application; they may give the message an id */
    public static Draft of(Message.Builder builder, Consumer<Message.Builder> options) {
        // A generated id is set before the options, and that of the message after them: so an id of the application is
        // seen, and the builder makes messages of one id.
        String generated = builder.build().id();
        options.accept(builder.id(generated));
        Message message = builder.build();
        return new Draft(message, builder.id(message.id()), !message.id().equals(generated));
    }

    /** The same message with another due time. */
    public Draft moved(DueTime dueTime) {
        dueTime.giveTo(builder);
        return new Draft(builder.build(), builder, hasOwnId);
    }
}
