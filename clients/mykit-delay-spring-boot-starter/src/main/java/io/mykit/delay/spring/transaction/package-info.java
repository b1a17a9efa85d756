/** Carries out the calls of a template after the commit of a transaction. The only package that knows spring-tx. */
package io.mykit.delay.spring.transaction;
