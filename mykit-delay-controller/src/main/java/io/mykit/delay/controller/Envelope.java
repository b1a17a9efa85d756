package io.mykit.delay.controller;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.alibaba.fastjson2.JSONWriter;
import io.mykit.delay.common.error.ErrorCode;

/** The form that every JSON answer has, and each item of a batch as well. */
final class Envelope {
    private static final int OK = 200;
    private static final byte[] BEFORE_ID =
            "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"".getBytes(US_ASCII);
    private static final byte[] AFTER_ID = "\"}".getBytes(US_ASCII);

    private Envelope() {}

    /** The answer to a push; the same as {@link #success}, without a writer where the id needs no escaping. */
    static Reply accepted(String id) {
        byte[] answer = new byte[BEFORE_ID.length + id.length() + AFTER_ID.length];
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                return success(id);
            }
            answer[BEFORE_ID.length + i] = (byte) c;
        }
        System.arraycopy(BEFORE_ID, 0, answer, 0, BEFORE_ID.length);
        System.arraycopy(AFTER_ID, 0, answer, BEFORE_ID.length + id.length(), AFTER_ID.length);
        return Reply.json(OK, answer);
    }

    /** @param data a JSON value: null, string, number, boolean, map or collection */
    static Reply success(Object data) {
        try (JSONWriter json = writer()) {
            writeSuccess(json, () -> json.writeAny(data));
            return Reply.json(OK, json.getBytes());
        }
    }

    static Reply failure(int status, ErrorCode error, String message, Object data) {
        try (JSONWriter json = writer()) {
            write(json, status, message, error, () -> json.writeAny(data));
            return Reply.json(status, json.getBytes());
        }
    }

    static JSONWriter writer() {
        return JSONWriter.ofUTF8(JSONWriter.Feature.WriteMapNullValue);
    }

    /** @param data writes exactly one value */
    static void writeSuccess(JSONWriter json, Runnable data) {
        write(json, OK, "ok", null, data);
    }

    static void writeFailure(JSONWriter json, Failure failure) {
        write(json, failure.status(), failure.message(), failure.error(), () -> json.writeAny(failure.data()));
    }

    private static void write(JSONWriter json, int code, String message, ErrorCode error, Runnable data) {
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
        data.run();
        json.endObject();
    }

    private static void name(JSONWriter json, String name) {
        json.writeName(name);
        json.writeColon();
    }
}
