/**
 * Who may call: the roles that tokens stand for, and the calls that each role may make. HTTP and gRPC share it. Called by the threads that
 * read requests; thread-safe.
 */
package io.mykit.delay.access;
