/** For channels that reach their broker by TLS: the four keys that name certificates, and the certificates themselves. */
package io.mykit.delay.channel.tls;
