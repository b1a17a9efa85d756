package io.mykit.delay.ports.call;

/** A request that is refused, with its answer. */
public class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Reply reply;

    /** @param text for logs */
    public Refused(Reply reply, String text) {
        super(text, null, false, false);
        this.reply = reply;
    }

    public final Reply reply() {
        return reply;
    }
}
