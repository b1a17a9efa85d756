/**
 * The description of all calls, as an OpenAPI document. It is written by hand, and tests compare it with the calls.
 *
 * <p>Immutable; any thread.
 */
package io.mykit.delay.controller.openapi;
