/**
 * TLS of the ports on which the server listens: the certificate in use, which follows its files. HTTP and gRPC share it. One loop looks at
 * the files; any thread may ask for the certificate.
 */
package io.mykit.delay.access.tls;
