package io.mykit.delay.common.tls;

/** A file that cannot be used. The message is for a person and has no secret. */
public final class TlsFileException extends Exception {
    private static final long serialVersionUID = 1L;

    private final TlsPart part;

    TlsFileException(TlsPart part, String message, Exception cause) {
        super(message, cause);
        this.part = part;
    }

    TlsFileException(TlsPart part, String message) {
        this(part, message, null);
    }

    public TlsPart part() {
        return part;
    }
}
