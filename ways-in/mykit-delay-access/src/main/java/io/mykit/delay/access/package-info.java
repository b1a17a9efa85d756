/**
 * What the ways in share: the roles that tokens stand for, and the calls that each role may make; the log of requests and the traces of
 * requests are in packages of their own. Called by the threads that read requests; thread-safe.
 */
package io.mykit.delay.access;
