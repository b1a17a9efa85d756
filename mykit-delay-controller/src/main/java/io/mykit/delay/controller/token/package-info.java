/**
 * Administrators' calls: the tokens of callers. Event loops come in, and the workers of the HTTP interface, on which the store is asked.
 */
package io.mykit.delay.controller.token;
