/** TLS for channels: the four keys that name certificates, and the certificates themselves. */
package io.mykit.delay.channel.tls;
