package io.mykit.delay.controller.reply;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The form of every JSON answer, and of each item of a batch. Stateless. */
public final class Envelope {
    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final String STATUS = "status";
    private static final byte[] BEFORE_DATA =
            "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":".getBytes(US_ASCII);
    private static final int BEFORE_ID = BEFORE_DATA.length + 1;
    private static final byte[] AFTER_ID = "\"}".getBytes(US_ASCII);

    private Envelope() {}

    /** The answer to a push. It equals {@link #success}, but needs no JSON writer if the id has no characters to escape. */
    public static Reply accepted(String id) {
        byte[] answer = new byte[BEFORE_ID + id.length() + AFTER_ID.length];
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                return success(id);
            }
            answer[BEFORE_ID + i] = (byte) c;
        }
        System.arraycopy(BEFORE_DATA, 0, answer, 0, BEFORE_DATA.length);
        answer[BEFORE_DATA.length] = '"';
        System.arraycopy(AFTER_ID, 0, answer, BEFORE_ID + id.length(), AFTER_ID.length);
        return Reply.json(OK, Buffer.buffer(answer));
    }

    /**
     * The answer to a push.
     *
     * @param before the status of the message, if it was accepted before and this push changed nothing; otherwise null
     */
    public static Reply accepted(String id, MessageStatus before) {
        return before == null ? accepted(id) : envelope(OK, "ok", null, id, Map.of(STATUS, before.name()));
    }

    /**
     * The answer to a push that waited.
     *
     * @param before see {@link #accepted(String, MessageStatus)}
     * @param job the state of the message; null = it could not be read
     */
    public static Reply waited(String id, MessageStatus before, Map<String, Object> job) {
        Map<String, Object> beside = new LinkedHashMap<>();
        if (before != null) {
            beside.put(STATUS, before.name());
        }
        beside.put("job", job);
        return envelope(OK, "ok", null, id, beside);
    }

    /** The answer to a cancel of a message that its receiver may have got in an earlier attempt. */
    public static Reply cancelledAfterAttempt(String id) {
        return envelope(OK, "ok", null, id, Map.of("attempted", true));
    }

    /** @param data a JSON value: null, string, number, boolean, map or collection */
    public static Reply success(Object data) {
        return envelope(OK, "ok", null, data, Map.of());
    }

    /** The answer to a call whose work goes on. */
    public static Reply underWay(Map<String, Object> data) {
        return envelope(
                ACCEPTED, "the work goes on; GET /operations tells how far it is, and its end", null, data, Map.of());
    }

    /** An answer whose data are other answers. Only the envelope of each is used. */
    public static Reply batch(List<Reply> items) {
        Buffer all = Buffer.buffer(BEFORE_DATA).appendByte((byte) '[');
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                all.appendByte((byte) ',');
            }
            all.appendBuffer(items.get(i).body());
        }
        return Reply.json(OK, all.appendByte((byte) ']').appendByte((byte) '}'));
    }

    /** The same, where each answer has the id of its message as the first field. */
    public static Reply batch(List<String> ids, List<Reply> items) {
        List<Reply> named = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            Buffer item = items.get(i).body();
            Buffer with = Buffer.buffer("{\"id\":" + JSON.toJSONString(ids.get(i)) + ",");
            named.add(Reply.json(OK, with.appendBuffer(item, 1, item.length() - 1)));
        }
        return batch(named);
    }

    static Reply failure(int status, ErrorCode error, String message, Object data) {
        return envelope(status, message, error, data, Map.of());
    }

    /** @param beside further fields beside the data */
    private static Reply envelope(int code, String message, ErrorCode error, Object data, Map<String, ?> beside) {
        try (JSONWriter json = JSONWriter.ofUTF8(JSONWriter.Feature.WriteMapNullValue)) {
            json.startObject();
            name(json, "success");
            json.writeBool(error == null);
            name(json, "code");
            json.writeInt32(code);
            name(json, "message");
            json.writeString(message);
            if (error != null) {
                name(json, "error");
                json.writeString(error.name());
            }
            name(json, "data");
            json.writeAny(data);
            beside.forEach((name, value) -> {
                name(json, name);
                json.writeAny(value);
            });
            json.endObject();
            return Reply.json(code, Buffer.buffer(json.getBytes()));
        }
    }

    private static void name(JSONWriter json, String name) {
        json.writeName(name);
        json.writeColon();
    }
}
