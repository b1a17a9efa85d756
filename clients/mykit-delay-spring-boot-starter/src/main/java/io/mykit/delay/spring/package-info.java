/**
 * mykit-delay in an application with Spring Boot: {@link io.mykit.delay.spring.DelayTemplate} sends messages, methods with
 * {@link io.mykit.delay.spring.DelayedListener} handle them. This package is all that an application compiles against; the
 * packages below it put the parts together.
 *
 * <p>The same classes run with Spring Boot 3.5 and 4. Spring itself comes from the application.
 */
package io.mykit.delay.spring;
