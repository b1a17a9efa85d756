package io.mykit.delay.controller.call;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.Principal;
import io.mykit.delay.common.message.FieldRules;
import io.vertx.core.buffer.Buffer;
import java.util.Locale;
import java.util.Map;

/**
 * A request that has passed the checks of access, with its body. Immutable.
 *
 * @param path the parameters in the path, decoded, by the names that the route's pattern gives them
 * @param parameters the parameters in the query and the form
 * @param contentType or null
 * @param caller the caller that the token stands for
 * @param client the other end of the connection
 */
public record Call(
        Map<String, String> path,
        Parameters parameters,
        String contentType,
        Buffer body,
        Principal caller,
        Client client) {
    /** The path parameter that names one message. */
    public static final String ID = "id";

    /** The id in the path, or under one of its names in the query or the form. */
    public String messageId() {
        String id = null;
        for (String name : ParameterNames.IDS) {
            String given = parameters.get(name);
            if (given != null && id != null && !given.equals(id)) {
                throw invalid("jobId is given twice, with different values");
            }
            id = given == null ? id : given;
        }
        String inPath = path.get(ID);
        if (inPath == null) {
            return FieldRules.id("jobId", id);
        }
        if (id != null && !id.equals(inPath)) {
            throw invalid("jobId and the id in the path have different values");
        }
        return FieldRules.id(ID, inPath);
    }

    /** Whether a parameter names one message. */
    public boolean namesMessage() {
        return ParameterNames.IDS.stream().anyMatch(name -> parameters.get(name) != null);
    }

    /**
     * The same call with the parameters of its JSON body. Some clients send an empty object in place of an empty body.
     */
    public Call withBody(Parameters inBody) {
        if (inBody.isEmpty()) {
            return this;
        }
        if (!parameters.isEmpty()) {
            throw invalid("the fields stand in the URL or in the body, not in both");
        }
        return with(inBody);
    }

    /** The same call with other parameters. */
    public Call with(Parameters others) {
        return new Call(path, others, contentType, body, caller, client);
    }

    /** Whether the request has a body that is no form. White space is no body. */
    public boolean hasJson() {
        return !Parameters.isBlank(body) && !Parameters.isForm(contentType, body);
    }

    /** Whether the content type is JSON. A web page cannot send it to another origin without asking first. */
    public boolean declaresJson() {
        return contentType != null
                && contentType.toLowerCase(Locale.ROOT).strip().matches("application/json\\s*(;.*)?");
    }

    /**
     * The body of a request that carries JSON. Any media type is accepted, because clients vary. Another charset than UTF-8
     * is refused, unless the bytes are the same in both.
     */
    public byte[] json() {
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
