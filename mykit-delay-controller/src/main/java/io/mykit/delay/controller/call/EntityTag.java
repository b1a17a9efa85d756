package io.mykit.delay.controller.call;

import java.util.Arrays;

/** The entity tags of documents that a client may keep. Stateless. */
public final class EntityTag {
    private EntityTag() {}

    /**
     * Whether the client has the document with this tag already. Must be called on the event loop, as in
     * {@link CallHandler#handle}.
     *
     * @param etag with its quotation marks
     */
    public static boolean isKnown(Call call, String etag) {
        return isListed(call.client().header("If-None-Match"), etag);
    }

    /** @param given the list of the client; null = none */
    static boolean isListed(String given, String etag) {
        return given != null
                && Arrays.stream(given.split(",", -1))
                        .map(String::strip)
                        // A proxy that packs the answer anew marks the tag as weak.
                        .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
                        .anyMatch(tag -> tag.equals(etag) || tag.equals("*"));
    }
}
