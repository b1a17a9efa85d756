package io.mykit.delay.controller.console;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.EntityTag;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Answers with a file. The page may load and call this server only, and runs no script but its own files: a text of a producer that
 * a page would take for a script or for HTML has no effect.
 */
final class ConsoleHandler implements CallHandler {
    private static final String PATH = "path";

    private static final Map<String, String> SAFE = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Permissions-Policy",
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
            "Vary",
            "Accept-Encoding");

    private final Function<String, Optional<Asset>> assets;

    ConsoleHandler(Function<String, Optional<Asset>> assets) {
        this.assets = assets;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        return CompletableFuture.completedFuture(assets.apply(call.path().get(PATH))
                .map(asset -> reply(call, asset))
                .orElseGet(() -> ErrorMapper.failure(ErrorCode.NOT_FOUND, "the console has no such file")
                        .reply()));
    }

    private static Reply reply(Call call, Asset asset) {
        Map<String, String> headers = new LinkedHashMap<>(SAFE);
        headers.put("ETag", asset.etag());
        headers.put("Cache-Control", asset.immutable() ? "public, max-age=31536000, immutable" : "no-cache");
        if (EntityTag.isKnown(call, asset.etag())) {
            return new Reply(304, asset.contentType(), Buffer.buffer(), headers);
        }
        boolean packed = acceptsGzip(call.client().header("Accept-Encoding"));
        if (packed) {
            headers.put("Content-Encoding", "gzip");
        }
        return new Reply(200, asset.contentType(), Buffer.buffer(packed ? asset.gzip() : asset.bytes()), headers);
    }

    /** @param given the list of the client; null = none */
    static boolean acceptsGzip(String given) {
        return given != null
                && Arrays.stream(given.toLowerCase(Locale.ROOT).split(",", -1))
                        .map(coding -> coding.replace(" ", ""))
                        .anyMatch(coding -> coding.equals("gzip")
                                || (coding.startsWith("gzip;q=") && !coding.matches("gzip;q=0(\\.0*)?")));
    }
}
