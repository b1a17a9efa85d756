/** The endpoint that the server's channel {@code webhook} calls. The only package that knows servlets. */
package io.mykit.delay.spring.callback;
