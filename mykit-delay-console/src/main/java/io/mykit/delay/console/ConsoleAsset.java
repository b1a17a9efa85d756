package io.mykit.delay.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** One file of the console, ready to be sent. Immutable, as long as callers leave its arrays as they are. */
public final class ConsoleAsset {
    private final byte[] bytes;
    private final byte[] gzip;
    private final String contentType;
    private final String etag;
    private final boolean immutable;

    ConsoleAsset(byte[] bytes, String contentType, String etag, boolean immutable) {
        this.bytes = bytes;
        this.gzip = gzip(bytes);
        this.contentType = contentType;
        this.etag = etag;
        this.immutable = immutable;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** The same for clients that accept the encoding gzip. */
    public byte[] gzip() {
        return gzip;
    }

    public String contentType() {
        return contentType;
    }

    /** The value of the header ETag, with its quotation marks. Both encodings have the same. */
    public String etag() {
        return etag;
    }

    /** Whether the path names the content, so that browsers may keep the file for ever. */
    public boolean isImmutable() {
        return immutable;
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new BestGzip(packed)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    private static final class BestGzip extends GZIPOutputStream {
        BestGzip(ByteArrayOutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }
}
