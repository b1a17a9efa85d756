package io.mykit.delay.test.trace;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A span as OTLP carries it (opentelemetry/proto/trace/v1/trace.proto).
 *
 * @param kind 2 = server, 3 = client, 4 = producer
 * @param status 0 = unset, 2 = error
 * @param links trace and span of each link, with a hyphen in between
 */
record SeenSpan(
        String traceId,
        String spanId,
        String parentId,
        String name,
        int kind,
        long startNanos,
        long endNanos,
        Map<String, Object> attributes,
        List<String> links,
        int status) {
    static final int SERVER = 2;
    static final int CLIENT = 3;
    static final int PRODUCER = 4;
    static final int ERROR = 2;

    private static final HexFormat HEX = HexFormat.of();

    String context() {
        return traceId + "-" + spanId;
    }

    /** The spans of an ExportTraceServiceRequest: resource_spans = 1, scope_spans = 2, spans = 2. */
    static List<SeenSpan> readAll(byte[] request) throws IOException {
        List<SeenSpan> spans = new ArrayList<>();
        for (byte[] resource : messages(request, 1)) {
            for (byte[] scope : messages(resource, 2)) {
                for (byte[] span : messages(scope, 2)) {
                    spans.add(read(span));
                }
            }
        }
        return spans;
    }

    /** The attributes of the first resource: resource_spans = 1, resource = 1, attributes = 1. */
    static Map<String, Object> resource(byte[] request) throws IOException {
        byte[] resource = messages(messages(request, 1).get(0), 1).get(0);
        Map<String, Object> attributes = new HashMap<>();
        for (byte[] pair : messages(resource, 1)) {
            addAttribute(pair, attributes);
        }
        return attributes;
    }

    private static SeenSpan read(byte[] bytes) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        String traceId = "";
        String spanId = "";
        String parentId = "";
        String name = "";
        int kind = 0;
        long start = 0;
        long end = 0;
        int status = 0;
        Map<String, Object> attributes = new HashMap<>();
        List<String> links = new ArrayList<>();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> traceId = HEX.formatHex(in.readByteArray());
                case 2 -> spanId = HEX.formatHex(in.readByteArray());
                case 4 -> parentId = HEX.formatHex(in.readByteArray());
                case 5 -> name = in.readString();
                case 6 -> kind = in.readEnum();
                case 7 -> start = in.readFixed64();
                case 8 -> end = in.readFixed64();
                case 9 -> addAttribute(in.readByteArray(), attributes);
                case 13 -> links.add(link(in.readByteArray()));
                case 15 -> status = status(in.readByteArray());
                default -> in.skipField(tag);
            }
        }
        return new SeenSpan(traceId, spanId, parentId, name, kind, start, end, attributes, links, status);
    }

    private static String link(byte[] bytes) throws IOException {
        return HEX.formatHex(messages(bytes, 1).get(0)) + "-"
                + HEX.formatHex(messages(bytes, 2).get(0));
    }

    private static int status(byte[] bytes) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        int code = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == 3) {
                code = in.readEnum();
            } else {
                in.skipField(tag);
            }
        }
        return code;
    }

    /** A KeyValue whose value is a text or a whole number. */
    private static void addAttribute(byte[] bytes, Map<String, Object> attributes) throws IOException {
        String key = new String(messages(bytes, 1).get(0), StandardCharsets.UTF_8);
        CodedInputStream in = CodedInputStream.newInstance(messages(bytes, 2).get(0));
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> attributes.put(key, in.readString());
                case 3 -> attributes.put(key, in.readInt64());
                default -> in.skipField(tag);
            }
        }
    }

    /** The values of a field with a length: messages, bytes and texts. */
    private static List<byte[]> messages(byte[] bytes, int field) throws IOException {
        List<byte[]> found = new ArrayList<>();
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == field) {
                found.add(in.readByteArray());
            } else {
                in.skipField(tag);
            }
        }
        return found;
    }
}
