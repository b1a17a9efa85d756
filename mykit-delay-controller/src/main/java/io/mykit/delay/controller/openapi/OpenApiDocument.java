package io.mykit.delay.controller.openapi;

import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.EntityTag;
import io.mykit.delay.controller.reply.Reply;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** The OpenAPI document. It is read from the jar at the first request, so that the start does not pay for it. */
final class OpenApiDocument {
    private static final String FILE = "openapi.json";
    private static final String TAG = "ETag";
    private static final String TYPE = "application/json; charset=utf-8";

    private OpenApiDocument() {}

    /** The answer with the document, or 304 if the client has it. A client may keep it, and has to ask whether it has changed. */
    static Reply reply(Call call) {
        Reply whole = reply();
        return EntityTag.isKnown(call, whole.headers().get(TAG))
                ? new Reply(304, TYPE, Buffer.buffer(), whole.headers())
                : whole;
    }

    /** The answer with the document. */
    static Reply reply() {
        return Loaded.REPLY;
    }

    private static Reply load() {
        byte[] bytes = bytes();
        return new Reply(
                200, TYPE, Buffer.buffer(bytes), Map.of(TAG, '"' + hash(bytes) + '"', "Cache-Control", "no-cache"));
    }

    private static byte[] bytes() {
        try (InputStream in = OpenApiDocument.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + FILE);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The class loader reads the document once, at its first use. */
    private static final class Loaded {
        static final Reply REPLY = load();
    }
}
