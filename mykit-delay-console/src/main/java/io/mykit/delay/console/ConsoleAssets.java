package io.mykit.delay.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files of the console. They are read from the class path at the first call of {@link #find}, because the time of a
 * start counts. The path of each file but the page has a hash of all files: {@code a/<hash>/app.js}. So a browser never
 * mixes the files of two versions, and may keep each of them for ever. Immutable after that; thread-safe.
 */
public final class ConsoleAssets {
    /** The page. Its content names the hash. */
    static final String PAGE = "index.html";

    /** In the page: the place of the hash. */
    static final String PLACEHOLDER = "@assets@";

    /** Below the folder {@code console} of the class path. A jar cannot be listed, so the names are here. */
    static final List<String> FILES = List.of(
            PAGE,
            "actions.js",
            "api.js",
            "app.js",
            "body.js",
            "chart.js",
            "clearing.js",
            "console.css",
            "due.js",
            "format.js",
            "frame.js",
            "i18n.js",
            "i18n/en.json",
            "i18n/zh.json",
            "icon.svg",
            "keys.js",
            "limits.js",
            "outcomes.js",
            "pages/audit.js",
            "pages/dead.js",
            "pages/login.js",
            "pages/message.js",
            "pages/messages.js",
            "pages/namespaces.js",
            "pages/operations.js",
            "pages/overview.js",
            "pages/reference.js",
            "pages/tokens.js",
            "pages/topics.js",
            "pages/tryit.js",
            "policy.js",
            "push.js",
            "router.js",
            "series.js",
            "session.js",
            "settings.js",
            "timeline.js",
            "trouble.js",
            "view.js",
            "widgets.js",
            "work.js",
            "vendor/LICENSE",
            "vendor/hooks.umd.js",
            "vendor/preact.min.umd.js");

    private static final String FOLDER = "/console/";
    private static final int HASH_DIGITS = 16;

    private volatile Map<String, ConsoleAsset> loaded;

    /**
     * @param path below {@code /console/}, without parameters; empty for the page
     */
    public Optional<ConsoleAsset> find(String path) {
        return Optional.ofNullable(assets().get(path.isEmpty() ? PAGE : path));
    }

    /** All files by their path. */
    Map<String, ConsoleAsset> assets() {
        Map<String, ConsoleAsset> assets = loaded;
        if (assets == null) {
            // Two threads may do this at once: both make the same.
            assets = load();
            loaded = assets;
        }
        return assets;
    }

    private static Map<String, ConsoleAsset> load() {
        Map<String, byte[]> contents = new TreeMap<>();
        FILES.forEach(name -> contents.put(name, read(name)));
        String hash = hash(contents);
        Map<String, ConsoleAsset> assets = new HashMap<>();
        contents.forEach((name, bytes) -> {
            boolean page = name.equals(PAGE);
            byte[] sent = page
                    ? new String(bytes, UTF_8).replace(PLACEHOLDER, "a/" + hash).getBytes(UTF_8)
                    : bytes;
            String etag = '"' + hash(Map.of(name, sent)) + '"';
            assets.put(page ? name : "a/" + hash + "/" + name, new ConsoleAsset(sent, type(name), etag, !page));
        });
        return Map.copyOf(assets);
    }

    private static byte[] read(String name) {
        try (InputStream in = ConsoleAssets.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("the class path has no " + FOLDER + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(Map<String, byte[]> contents) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            contents.forEach((name, bytes) -> {
                digest.update((name + '\n' + bytes.length + '\n').getBytes(UTF_8));
                digest.update(bytes);
            });
            return HexFormat.of().formatHex(digest.digest()).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String type(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1);
        return switch (extension) {
            case "html" -> "text/html; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "json" -> "application/json; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> "text/plain; charset=utf-8";
        };
    }
}
