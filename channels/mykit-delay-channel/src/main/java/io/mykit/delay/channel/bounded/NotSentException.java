package io.mykit.delay.channel.bounded;

import java.io.IOException;

/** The broker could not be used, and certainly took none of the messages: there was no connection, or it refused them. */
public final class NotSentException extends IOException {
    private static final long serialVersionUID = 1;

    /** @param why the reason of these messages and of the rest of the batch, for a person */
    public NotSentException(String why, Throwable cause) {
        super(why, cause);
    }
}
