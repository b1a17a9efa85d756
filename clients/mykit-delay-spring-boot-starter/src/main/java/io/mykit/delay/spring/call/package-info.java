/**
 * The calls that a {@code DelayTemplate} makes: at once, or later, see {@link io.mykit.delay.spring.call.TemplateCalls}. It
 * knows the client alone. Called on the threads of the application.
 */
package io.mykit.delay.spring.call;
