package io.mykit.delay.queue.overview;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a node tells of the settings that decide where and how it delivers, so that other nodes notice differences. Nothing of it is made
 * of a secret. Maps that are too long for a note are left out: the digest still tells that something differs. Immutable.
 *
 * @param digest of all these settings
 * @param topics the channel of each name about which the node has a say; empty = too many
 * @param keys a digest of the value of each other key; empty = too many
 */
public record NodeRules(String digest, Optional<Map<String, String>> topics, Optional<Map<String, String>> keys) {
    /** The characters of {@link #topics} in a note. */
    static final int MAX_TOPICS = 4_000;
    /** The characters of {@link #keys} in a note. */
    static final int MAX_KEYS = 2_000;

    private static final String ANY = "*";
    private static final String TOPICS = "delivery.topics.";
    private static final int DIGEST_BYTES = 8;
    private static final int KEY_BYTES = 4;

    public NodeRules {
        topics = topics.map(Map::copyOf);
        keys = keys.map(Map::copyOf);
    }

    /**
     * The rules of this node, without the channels of {@link #naming}.
     *
     * @param values the settings by key, without secrets
     */
    public static NodeRules of(Map<String, String> values) {
        StringBuilder all = new StringBuilder();
        Map<String, String> keys = new TreeMap<>();
        new TreeMap<>(values).forEach((key, value) -> {
            all.append(key).append('=').append(value).append('\n');
            if (!key.startsWith(TOPICS)) {
                keys.put(key, digest(value, KEY_BYTES));
            }
        });
        return new NodeRules(digest(all.toString(), DIGEST_BYTES), Optional.of(Map.of()), shortEnough(keys, MAX_KEYS));
    }

    /**
     * The same rules with these channels.
     *
     * @param byName the channel of each name that the configuration or an operator has; {@code *} is no say, since it would make all topics
     *     differ
     */
    NodeRules naming(Map<String, String> byName) {
        Map<String, String> said = new TreeMap<>(byName);
        said.remove(ANY);
        return new NodeRules(digest, shortEnough(said, MAX_TOPICS), keys);
    }

    private static Optional<Map<String, String>> shortEnough(Map<String, String> map, int most) {
        return Optional.of(map).filter(some -> JSON.toJSONString(some).length() <= most);
    }

    private static String digest(String text, int bytes) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(whole, 0, bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("digest", digest);
        topics.ifPresent(map -> fields.put("topics", map));
        keys.ifPresent(map -> fields.put("keys", map));
        return fields;
    }

    /** Reads {@link #fields}; empty for the note of an older node, which has none. */
    static Optional<NodeRules> read(JSONObject json) {
        String digest = json == null ? null : json.getString("digest");
        return digest == null
                ? Optional.empty()
                : Optional.of(new NodeRules(digest, texts(json, "topics"), texts(json, "keys")));
    }

    private static Optional<Map<String, String>> texts(JSONObject json, String name) {
        return Optional.ofNullable(json.getJSONObject(name)).map(object -> {
            Map<String, String> texts = new TreeMap<>();
            object.forEach((key, value) -> texts.put(key, String.valueOf(value)));
            return texts;
        });
    }

    /** The keys whose values differ, sorted, as far as both notes tell them. */
    Set<String> differences(NodeRules other) {
        Set<String> differing = new TreeSet<>();
        if (topics.isPresent() && other.topics.isPresent()) {
            differing(topics.get(), other.topics.get()).forEach(topic -> differing.add(TOPICS + topic));
        }
        if (keys.isPresent() && other.keys.isPresent()) {
            differing.addAll(differing(keys.get(), other.keys.get()));
        }
        return differing;
    }

    private static Set<String> differing(Map<String, String> one, Map<String, String> other) {
        Set<String> names = new TreeSet<>(one.keySet());
        names.addAll(other.keySet());
        names.removeIf(name -> one.getOrDefault(name, "").equals(other.getOrDefault(name, "")));
        return names;
    }
}
