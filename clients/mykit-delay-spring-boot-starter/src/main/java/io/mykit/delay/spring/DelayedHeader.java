package io.mykit.delay.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a parameter of a listener one value of the message: a field ({@code id}, {@code topic}, {@code subtopic},
 * {@code bizKey}, {@code dueTime}, {@code attempt}, {@code maxAttempts}), or else the header of this name. The value is
 * converted to the type of the parameter. A missing header is null; an {@code Optional} is empty then.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayedHeader {
    String value();
}
