package io.mykit.delay.channel.hosts.service;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;

/**
 * A record of RFC 2782. Immutable.
 *
 * @param target a name without its last dot
 */
record SrvRecord(int priority, int port, String target, long ttlSeconds) {
    private static final int HEAD_BYTES = 6;

    /** Reads and releases records. Those that cannot be read are left out. */
    static List<SrvRecord> read(List<DnsRecord> records) {
        List<SrvRecord> read = new ArrayList<>();
        for (DnsRecord record : records) {
            try {
                if (record instanceof DnsRawRecord raw && raw.content().readableBytes() > HEAD_BYTES) {
                    read.add(of(raw));
                }
            } finally {
                ReferenceCountUtil.release(record);
            }
        }
        // A target "." says that there is no instance.
        read.removeIf(record -> record.target.isEmpty() || record.port == 0);
        return read;
    }

    /** The records of the best priority. Their weights do not count. */
    static List<SrvRecord> first(List<SrvRecord> records) {
        int best = records.stream().mapToInt(SrvRecord::priority).min().orElse(0);
        return records.stream().filter(record -> record.priority == best).toList();
    }

    private static SrvRecord of(DnsRawRecord record) {
        ByteBuf content = record.content();
        int priority = content.readUnsignedShort();
        content.skipBytes(Short.BYTES);
        int port = content.readUnsignedShort();
        String target = DefaultDnsRecordDecoder.decodeName(content);
        return new SrvRecord(priority, port, target.replaceAll("\\.$", ""), record.timeToLive());
    }
}
