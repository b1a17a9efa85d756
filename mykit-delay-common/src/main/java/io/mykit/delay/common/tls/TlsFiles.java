package io.mykit.delay.common.tls;

import io.mykit.delay.common.value.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/**
 * The places of a certificate, its key, and the authorities of clients. Immutable.
 *
 * @param certificate the certificate of the server, then those between it and its authority
 * @param key its private key
 * @param clientCa the authorities of clients; empty = clients need no certificate
 */
public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {
    private static final long MAX_BYTES = 1 << 20;

    /** The files as they are now. */
    public TlsContent read() throws TlsFileException {
        Optional<String> authorities =
                clientCa.isEmpty() ? Optional.empty() : Optional.of(text(TlsPart.CLIENT_CA, clientCa.get()));
        return new TlsContent(text(TlsPart.CERTIFICATE, certificate), new Secret(text(TlsPart.KEY, key)), authorities);
    }

    public Path of(TlsPart part) {
        return switch (part) {
            case CERTIFICATE -> certificate;
            case KEY -> key;
            case CLIENT_CA -> clientCa.orElseThrow();
        };
    }

    /** Whether each user of this machine may read the key. False where files have no such permissions. */
    public boolean isKeyOpen() {
        try {
            return Files.getPosixFilePermissions(key).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    private static String text(TlsPart part, Path file) throws TlsFileException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new TlsFileException(part, "has more than " + MAX_BYTES + " bytes");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new TlsFileException(part, "there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new TlsFileException(part, "this process may not read the file", e);
        } catch (IOException e) {
            throw new TlsFileException(part, "cannot be read: " + e.getMessage(), e);
        }
    }
}
