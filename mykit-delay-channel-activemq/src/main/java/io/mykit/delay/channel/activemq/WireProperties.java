package io.mykit.delay.channel.activemq;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.activemq.util.ByteSequence;
import org.apache.activemq.util.MarshallingSupport;

/**
 * Properties as OpenWire carries them, with strings in UTF-8.
 *
 * <p>The client of ActiveMQ 6.3.1 writes them by {@link DataOutputStream#writeUTF}, whose UTF-8 is a dialect, and reads
 * them as plain UTF-8: an emoji or a NUL in an id would arrive as question marks. For all other characters the two are
 * the same.
 */
final class WireProperties {

    private WireProperties() {}

    /** Values are strings of at most 65535 bytes, or longs. */
    static ByteSequence of(Map<String, Object> properties) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(properties.size());
            for (Map.Entry<String, Object> property : properties.entrySet()) {
                out.writeUTF(property.getKey());
                if (property.getValue() instanceof Long number) {
                    out.writeByte(MarshallingSupport.LONG_TYPE);
                    out.writeLong(number);
                } else {
                    byte[] text = property.getValue().toString().getBytes(UTF_8);
                    out.writeByte(MarshallingSupport.STRING_TYPE);
                    out.writeShort(text.length);
                    out.write(text);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("into memory", e);
        }
        return new ByteSequence(bytes.toByteArray());
    }
}
