/** Puts the parts together: the properties, and the beans that an application has by default. It runs at start only. */
package io.mykit.delay.spring.boot;
