package io.mykit.delay.grape.tube;

import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;

/**
 * A tube of Grape, and the topic that it is here.
 *
 * @param idPrefix what ids in the engine have in front: the prefix of the topic's native namespace, or nothing
 */
public record Tube(String name, String topic, String idPrefix) {
    /** Whether a job of the tube can have this id: the engine has bounds for ids. It throws with the reason if not. */
    public String checked(String jid) {
        return FieldRules.name("id", stored(jid), MessageLimits.MAX_ID);
    }

    /** The id in the engine: ids of jobs are unique in their tube alone. */
    public String stored(String jid) {
        return idPrefix + name + ":" + jid;
    }

    /** The id that clients know. A message that was pushed by a native call may have another form, and keeps it. */
    public String jid(String stored) {
        String front = stored("");
        return stored.startsWith(front) ? stored.substring(front.length()) : stored;
    }

    /** The topic without the namespace, under which the namespace counts it. */
    public String place() {
        return topic.substring(idPrefix.length());
    }
}
