package io.mykit.delay.common.tls;

/** The files of a certificate. */
public enum TlsPart {
    CERTIFICATE,
    KEY,
    CLIENT_CA
}
