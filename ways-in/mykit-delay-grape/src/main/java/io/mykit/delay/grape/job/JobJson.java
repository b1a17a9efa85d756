package io.mykit.delay.grape.job;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.ports.call.Json;
import java.util.Base64;

/** A job as Grape shows it. Stateless. */
final class JobJson {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private JobJson() {}

    /**
     * The JSON of a job.
     *
     * @param jid the id that clients know
     * @param ttrMs what the job gives, or the queue's
     * @param noe how often it was consumed before
     */
    static String of(String jid, DelayMessage message, long ttrMs, long noe) {
        return Json.object()
                .text("id", jid)
                .number("dtr", message.delayMs())
                .number("ttr", ttrMs)
                .number("noe", noe)
                .text("data", BASE64.encodeToString(message.bodyBytes()))
                .end();
    }
}
