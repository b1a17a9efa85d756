/** The health of the servers, for the actuator of Spring Boot 3.5 and for that of Spring Boot 4, which has other types. */
package io.mykit.delay.spring.health;
