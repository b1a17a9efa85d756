/** The numbers in requests of Grape's API, and the codes and texts of its errors. Any thread may use its classes. */
package io.mykit.delay.grape.call;
