package io.mykit.delay.lmstfy.queue;

/**
 * A queue of lmstfy, and the topic that it is here.
 *
 * @param idPrefix what ids in the engine have in front: the prefix of the topic's native namespace, or nothing
 */
record Queue(String namespace, String name, String topic, String idPrefix) {
    /** The topic without the namespace, under which the namespace counts it. */
    String place() {
        int front = topic.length() - namespace.length() - 1 - name.length();
        return topic.substring(0, front) + name;
    }

    /** The id in the engine. */
    String stored(String jobId) {
        return idPrefix + jobId;
    }

    /** The id that clients know. */
    String jobId(String stored) {
        return stored.startsWith(idPrefix) ? stored.substring(idPrefix.length()) : stored;
    }
}
