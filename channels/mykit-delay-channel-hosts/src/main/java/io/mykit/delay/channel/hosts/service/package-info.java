/**
 * Services: their names stand for instances, which the configuration, DNS or Eureka knows. {@link
 * io.mykit.delay.channel.hosts.service.Services} is the entry. Answers are kept in memory for seconds. Any thread may ask; no
 * call blocks. Threads of the resolvers complete the answers.
 */
package io.mykit.delay.channel.hosts.service;
