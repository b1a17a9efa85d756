/** The calls of consumers: pull and settle. Event loops read them; threads of the engine answer them. */
package io.mykit.delay.grpc.pull;
