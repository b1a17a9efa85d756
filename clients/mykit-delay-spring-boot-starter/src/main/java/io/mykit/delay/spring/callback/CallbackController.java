package io.mykit.delay.spring.callback;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.client.Body;
import io.mykit.delay.client.RejectMessageException;
import io.mykit.delay.client.RetryLaterException;
import io.mykit.delay.client.WebhookVerifier;
import io.mykit.delay.spring.DelayedMessage;
import io.mykit.delay.spring.listener.Endpoint;
import io.mykit.delay.spring.listener.Listeners;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Hands verified callbacks to their listeners. The status tells the server what becomes of the message. Thread-safe. */
@RestController
public class CallbackController {
    private static final Logger LOG = System.getLogger("io.mykit.delay.client");

    /** Characters. The server keeps no more. */
    private static final int MAX_REASON = 200;

    private final Listeners listeners;
    private final WebhookVerifier verifier;
    private final int maxBody;

    /** @param maxBody the largest body in bytes */
    public CallbackController(Listeners listeners, WebhookVerifier verifier, int maxBody) {
        this.listeners = listeners;
        this.verifier = verifier;
        this.maxBody = maxBody;
    }

    /** The body is read as it came, because the signature covers its bytes. */
    @PostMapping("${mykit.delay.client.callback.path:/mykit-delay/callback}")
    public ResponseEntity<byte[]> receive(HttpServletRequest request) throws IOException {
        byte[] body = request.getInputStream().readNBytes(maxBody + 1);
        if (body.length > maxBody) {
            return answer(HttpStatus.PAYLOAD_TOO_LARGE);
        }
        if (!verifier.isGenuine(request::getHeader, body)) {
            return answer(HttpStatus.UNAUTHORIZED);
        }
        DelayedMessage message = CallbackMessage.read(request, body);
        Optional<Endpoint> endpoint = listeners.forCallback(message.topic());
        return endpoint.map(found -> handle(found, message)).orElseGet(() -> answer(HttpStatus.NOT_FOUND));
    }

    private static ResponseEntity<byte[]> handle(Endpoint endpoint, DelayedMessage message) {
        try {
            Body result = endpoint.handle(message);
            return result == null
                    ? answer(HttpStatus.NO_CONTENT)
                    : ResponseEntity.ok()
                            .contentType(MediaType.APPLICATION_OCTET_STREAM)
                            .body(result.bytes());
        } catch (RejectMessageException e) {
            return answer(HttpStatus.GONE, e);
        } catch (RetryLaterException e) {
            return answer(HttpStatus.INTERNAL_SERVER_ERROR, e);
        } catch (Exception e) {
            LOG.log(Level.WARNING, "The listener failed on message " + message.id() + " of " + message.topic(), e);
            return answer(HttpStatus.INTERNAL_SERVER_ERROR);
        }
    }

    /** With the reason, which the server writes into the flow log of the message. */
    private static ResponseEntity<byte[]> answer(HttpStatus status, RuntimeException refusal) {
        String reason = refusal.getMessage() == null ? "" : refusal.getMessage();
        return ResponseEntity.status(status)
                .contentType(new MediaType(MediaType.TEXT_PLAIN, UTF_8))
                .body(reason.substring(0, Math.min(reason.length(), MAX_REASON)).getBytes(UTF_8));
    }

    private static ResponseEntity<byte[]> answer(HttpStatus status) {
        return ResponseEntity.status(status).build();
    }
}
