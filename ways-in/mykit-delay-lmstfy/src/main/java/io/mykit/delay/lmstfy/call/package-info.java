/**
 * What a request of lmstfy's API is and how it is answered, whatever port it came by: its path, its parameters, the texts of its refusals.
 * It knows neither sockets nor the engine. Any thread may use its classes.
 */
package io.mykit.delay.lmstfy.call;
