package io.mykit.delay.common.tls;

import io.mykit.delay.common.value.Secret;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A private key in PEM: PKCS8, and the two older forms that {@code openssl} and cert-manager write, which are put into a PKCS8 envelope
 * (RFC 5208, RFC 5915). Stateless.
 */
final class PemKey {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([^-]*)-----END \\1-----");
    private static final Pattern ENCRYPTED = Pattern.compile("ENCRYPTED");
    private static final byte[] VERSION = {2, 1, 0};
    /** The identifier rsaEncryption with its empty parameters. */
    private static final byte[] RSA = {
        0x30, 0x0d, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0
    };

    private static final byte[] EC = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 4;
    /** The tag of the curve in a key of RFC 5915. */
    private static final byte CURVE = (byte) 0xa0;

    private PemKey() {}

    static PrivateKey parse(Secret pem) throws TlsFileException {
        Matcher block = BLOCK.matcher(pem.reveal());
        boolean found = block.find();
        if (ENCRYPTED.matcher(pem.reveal()).find()) {
            throw bad("is encrypted: openssl pkey -in key.pem -out plain.pem writes it without a password", null);
        }
        if (!found) {
            throw bad("there is no private key in PEM in it (-----BEGIN PRIVATE KEY-----)", null);
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(block.group(2));
            return switch (block.group(1)) {
                case "RSA PRIVATE KEY" -> key(envelope(RSA, der));
                case "EC PRIVATE KEY" -> key(envelope(der(SEQUENCE, EC, curve(der)), der));
                default -> key(der);
            };
        } catch (GeneralSecurityException | RuntimeException e) {
            throw bad("the private key in it cannot be read", e);
        }
    }

    private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
        GeneralSecurityException last = null;
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (GeneralSecurityException other) {
                last = other;
            }
        }
        throw last;
    }

    private static byte[] envelope(byte[] algorithm, byte[] key) {
        return der(SEQUENCE, VERSION, algorithm, der(OCTETS, key));
    }

    /** The identifier of the curve: the content of the optional element after version and key. */
    private static byte[] curve(byte[] der) throws GeneralSecurityException {
        int at = 1 + lengthBytes(der, 1);
        while (at < der.length && der[at] != CURVE) {
            at = end(der, at);
        }
        if (at >= der.length) {
            throw new GeneralSecurityException("the key does not name its curve");
        }
        int from = at + 1 + lengthBytes(der, at + 1);
        return Arrays.copyOfRange(der, from, end(der, at));
    }

    /** The end of the element that begins here. */
    private static int end(byte[] der, int at) {
        int bytes = lengthBytes(der, at + 1);
        int length = 0;
        if (bytes == 1) {
            length = der[at + 1];
        } else {
            for (int i = 2; i <= bytes; i++) {
                length = (length << 8) | (der[at + i] & 0xff);
            }
        }
        return at + 1 + bytes + length;
    }

    private static int lengthBytes(byte[] der, int at) {
        return der[at] >= 0 ? 1 : 1 + (der[at] & 0x7f);
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        int length = content.size();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        if (length < 0x80) {
            all.write(length);
        } else {
            byte[] size = BigInteger.valueOf(length).toByteArray();
            int skip = size[0] == 0 ? 1 : 0;
            all.write(0x80 | size.length - skip);
            all.write(size, skip, size.length - skip);
        }
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }

    private static TlsFileException bad(String message, Exception cause) {
        return new TlsFileException(TlsPart.KEY, message, cause);
    }
}
