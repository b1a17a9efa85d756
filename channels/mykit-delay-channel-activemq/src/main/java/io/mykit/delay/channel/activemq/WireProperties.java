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
 * Encodes properties for OpenWire, with strings in UTF-8. Stateless.
 *
 * <p>The client of ActiveMQ 6.3.1 writes them by {@link DataOutputStream#writeUTF}, which uses a modified UTF-8, and reads
 * them as standard UTF-8. So an emoji or a NUL in an id would arrive as question marks. All other characters are equal in
 * both.
 */
final class WireProperties {

    private WireProperties() {}

    /** Values are strings of at most 65535 bytes, booleans, numbers, or null. */
    static ByteSequence of(Map<String, Object> properties) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(properties.size());
            for (Map.Entry<String, Object> property : properties.entrySet()) {
                out.writeUTF(property.getKey());
                if (property.getValue() instanceof String text) {
                    byte[] utf8 = text.getBytes(UTF_8);
                    out.writeByte(MarshallingSupport.STRING_TYPE);
                    out.writeShort(utf8.length);
                    out.write(utf8);
                } else {
                    MarshallingSupport.marshalPrimitive(out, property.getValue());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("into memory", e);
        }
        return new ByteSequence(bytes.toByteArray());
    }
}
