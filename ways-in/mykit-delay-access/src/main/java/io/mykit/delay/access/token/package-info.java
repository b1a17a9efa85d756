/**
 * The tokens that administrators make: their text, the table of them as this node knows it, and its changes. HTTP and gRPC share it. Event
 * loops ask for tokens and never block; workers of the HTTP interface change them, and one loop reads the store.
 */
package io.mykit.delay.access.token;
