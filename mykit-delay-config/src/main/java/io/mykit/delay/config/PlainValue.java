package io.mykit.delay.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The key that is meant where a section of a map is written as a single value; it must not be empty. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface PlainValue {}
