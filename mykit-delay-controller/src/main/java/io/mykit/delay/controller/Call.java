package io.mykit.delay.controller;

import static io.mykit.delay.controller.FieldRules.invalid;

import io.vertx.core.buffer.Buffer;
import java.util.Locale;
import java.util.concurrent.Executor;

/**
 * A request that was let in, with its body.
 *
 * @param pathId the id in the path, decoded, or null if the route has none
 * @param contentType or null
 * @param loop runs on the request's own event loop
 */
record Call(String pathId, Parameters parameters, String contentType, Buffer body, Executor loop) {
    /** The id in the path, or under one of its names in the query or the form. */
    String messageId() {
        String id = null;
        for (String name : ParameterNames.IDS) {
            String given = parameters.get(name);
            if (given != null && id != null && !given.equals(id)) {
                throw invalid("jobId is given twice, with different values");
            }
            id = given == null ? id : given;
        }
        if (pathId == null) {
            return FieldRules.id("jobId", id);
        }
        if (id != null && !id.equals(pathId)) {
            throw invalid("jobId and the id in the path have different values");
        }
        return FieldRules.id("id", pathId);
    }

    /**
     * The body of a request that carries JSON. Its media type does not matter, since clients vary; another charset than
     * UTF-8 does, unless it makes no difference.
     */
    byte[] json() {
        byte[] bytes = body.getBytes();
        if (contentType != null && declaresOtherCharset(contentType.toLowerCase(Locale.ROOT)) && !isAscii(bytes)) {
            throw invalid("the body must be UTF-8");
        }
        return bytes;
    }

    private static boolean declaresOtherCharset(String type) {
        int at = type.indexOf("charset=");
        return at >= 0 && !type.startsWith("utf-8", at + 8) && !type.startsWith("\"utf-8", at + 8);
    }

    private static boolean isAscii(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }
}
