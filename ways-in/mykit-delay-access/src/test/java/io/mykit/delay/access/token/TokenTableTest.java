package io.mykit.delay.access.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.access.CallerLimits;
import io.mykit.delay.access.KnownTokens.Found;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.store.StoredToken;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTableTest {
    private static final Instant DAY = Instant.parse("2027-01-15T12:00:00Z");

    private final AtomicLong nowMs = new AtomicLong(DAY.toEpochMilli());
    private final AtomicLong nanos = new AtomicLong(-5);
    private final AtomicInteger announced = new AtomicInteger();
    private final AtomicInteger transactions = new AtomicInteger();
    private final InstantSource clock = () -> Instant.ofEpochMilli(nowMs.get());
    private final MemoryMessageStore store = new MemoryMessageStore(clock);
    private final TokenTable tokens = table();

    private TokenTable table() {
        return new TokenTable(store.tokens(), announced::incrementAndGet, clock, nanos::get);
    }

    @BeforeEach
    void read() {
        run(tokens);
        store.before(transactions::incrementAndGet);
    }

    @Test
    void aNewTokenIsKnownAtOnceHereAndAfterANoticeElsewhere() {
        TokenTable other = table();
        run(other);
        IssuedToken issued = tokens.create(order(Role.CONSUMER, Role.PRODUCER), "operator");
        assertThat(issued.text()).matches("mykd_[0-9A-HJKMNP-TV-Z]{12}_[0-9A-HJKMNP-TV-Z]{32}");
        Found found = tokens.find(issued.text());
        assertThat(found.refusal()).isNull();
        assertThat(found.caller())
                .isEqualTo(new Principal(
                        "token " + issued.row().tokenId(),
                        List.of(Role.PRODUCER, Role.CONSUMER),
                        Principal.ALL,
                        Optional.of(issued.row().tokenId()),
                        Optional.empty(),
                        CallerLimits.NONE));
        assertThat(announced).hasValue(1);
        assertThat(code(other, issued)).isEqualTo(ErrorCode.UNAUTHORIZED);
        run(other);
        assertThat(code(other, issued)).isNull();
    }

    @Test
    void theStoreAndTheTextsHaveNoToken() {
        IssuedToken issued = tokens.create(order(Role.PRODUCER), "operator");
        String secret = issued.text().substring(issued.text().length() - 32);
        assertThat(issued.toString() + issued.row() + tokens.find(issued.text()).caller())
                .doesNotContain(secret)
                .doesNotContain(issued.row().hash())
                .contains(issued.row().tokenId());
        assertThat(issued.row().hash()).hasSize(64).isEqualTo(TokenText.hash(issued.text()));
    }

    @Test
    void noRequestAsksTheStore() {
        IssuedToken issued = tokens.create(order(Role.PRODUCER), "operator");
        transactions.set(0);
        for (int i = 0; i < 1000; i++) {
            tokens.find(issued.text());
            tokens.find(TokenText.next());
        }
        assertThat(transactions).hasValue(0);
    }

    @Test
    void anUnknownTokenIsUnknownWhileTheTableReads() {
        String unknown = TokenText.next();
        List<ErrorCode> answers = new ArrayList<>();
        store.before(() -> answers.add(tokens.find(unknown).refusal().code()));
        run(tokens);
        assertThat(answers).isNotEmpty().containsOnly(ErrorCode.UNAUTHORIZED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "mykd_",
                "mykd_0123456789AB_0123456789ABCDEFGHJKMNPQRSTVWXY",
                "mykd_0123456789AB_0123456789ABCDEFGHJKMNPQRSTVWXYU",
                "mykd_0123456789ab_0123456789abcdefghjkmnpqrstvwxyz",
                "MYKD_0123456789AB_0123456789ABCDEFGHJKMNPQRSTVWXYZ",
                "mykd_0123456789AB_0123456789ABCDEFGHJKMNPQRSTVWXYZ\n"
            })
    void anotherTextIsNoSuchToken(String text) {
        assertThat(tokens.find(text).refusal()).isNull();
        assertThat(tokens.find(text).caller()).isEqualTo(Principal.ANONYMOUS);
    }

    @Test
    void aTokenEndsWithItsLifeItsRowOrAnOrder() {
        IssuedToken mortal = tokens.create(
                new NewToken("*", List.of(Role.VIEWER), "", Optional.of(Duration.ofMinutes(1))), "operator");
        nowMs.addAndGet(59_999);
        assertThat(code(tokens, mortal)).isNull();
        assertThat(tokens.find(mortal.text()).caller().expiresMs())
                .contains(DAY.plusSeconds(60).toEpochMilli());
        nowMs.addAndGet(1);
        assertThat(code(tokens, mortal)).isEqualTo(ErrorCode.UNAUTHORIZED);
        assertThat(tokens.find(mortal.text()).refusal()).hasMessage("the token has expired");
        change(
                mortal,
                new TokenChange(
                        Optional.empty(), Optional.of(Duration.ofHours(1)), Optional.empty(), Optional.empty()));
        assertThat(code(tokens, mortal)).isNull();
        change(mortal, new TokenChange(Optional.of(true), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(tokens.find(mortal.text()).refusal()).hasMessage("the token is disabled");
        change(
                mortal,
                new TokenChange(
                        Optional.of(false), Optional.empty(), Optional.of(List.of(Role.ADMIN)), Optional.of("d")));
        assertThat(tokens.find(mortal.text()).caller().may(Role.ADMIN)).isTrue();
        assertThat(tokens.all()).extracting(StoredToken::description).containsExactly("d");
        tokens.delete(mortal.row().tokenId());
        assertThat(tokens.find(mortal.text()).refusal()).hasMessage("the token is not known");
        assertThatThrownBy(() -> tokens.delete(mortal.row().tokenId()))
                .hasMessage("no token has the id " + mortal.row().tokenId());
    }

    /** Otherwise the change of a description makes a token valid that another administrator disables at this moment. */
    @Test
    void aChangeDoesNotUndoAnotherThatComesBetweenItsReadAndItsWrite() {
        IssuedToken token = tokens.create(order(Role.PRODUCER), "operator");
        String id = token.row().tokenId();
        TokenTable other = table();
        AtomicInteger calls = new AtomicInteger();
        store.before(() -> {
            if (calls.incrementAndGet() == 2) {
                other.change(
                        id, new TokenChange(Optional.of(true), Optional.empty(), Optional.empty(), Optional.empty()));
            }
        });
        StoredToken changed = tokens.change(
                id, new TokenChange(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("d")));
        assertThat(changed.disabled()).isTrue();
        assertThat(changed.description()).isEqualTo("d");
        assertThat(tokens.all()).containsExactly(changed);
        assertThat(tokens.find(token.text()).refusal()).hasMessage("the token is disabled");
    }

    @Test
    void aChangeWhoseOutcomeIsInDoubtIsAnnounced() {
        IssuedToken token = tokens.create(order(Role.PRODUCER), "operator");
        announced.set(0);
        store.loseNextAnswer();
        assertThatThrownBy(() -> tokens.delete(token.row().tokenId()))
                .extracting(e -> ((DelayException) e).code())
                .isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(announced).hasValue(1);
    }

    @Test
    void knownTokensGoOnForTenMinutesWithoutTheStoreAndOthersMayExist() {
        IssuedToken known = tokens.create(order(Role.PRODUCER), "operator");
        store.goAway();
        assertThatThrownBy(() -> run(tokens)).isInstanceOf(DelayException.class);
        nanos.addAndGet(TokenTable.KEPT.toNanos());
        assertThat(code(tokens, known)).isNull();
        assertThat(code(tokens, TokenText.next())).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(tokens.find("guess").refusal()).isNull();
        nanos.addAndGet(1);
        assertThat(code(tokens, known)).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(tokens.any()).as("it never opens").isTrue();
        store.comeBack();
        run(tokens);
        assertThat(code(tokens, known)).isNull();
        assertThat(code(tokens, TokenText.next())).isEqualTo(ErrorCode.UNAUTHORIZED);
    }

    @Test
    void aReadThatIsOverdueCountsAsAway() {
        nanos.addAndGet(Duration.ofSeconds(15).toNanos());
        assertThat(code(tokens, TokenText.next())).isEqualTo(ErrorCode.UNAUTHORIZED);
        nanos.addAndGet(1);
        assertThat(code(tokens, TokenText.next())).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    }

    @Test
    void aChangeThatFailsIsToldAlsoWhileReadsFail() {
        store.goAway();
        assertThatThrownBy(() -> run(tokens)).isInstanceOf(DelayException.class);
        assertThatThrownBy(() -> tokens.create(order(Role.PRODUCER), "operator"))
                .extracting(e -> ((DelayException) e).code())
                .isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(announced).hasValue(0);
    }

    @Test
    void aMadeTokenIsGivenOutAlsoIfTheReadAfterItFails() {
        AtomicInteger calls = new AtomicInteger();
        store.before(() -> {
            if (calls.incrementAndGet() == 3) {
                store.goAway();
            }
        });
        IssuedToken issued = tokens.create(order(Role.PRODUCER), "operator");
        store.before(() -> {});
        store.comeBack();
        run(tokens);
        assertThat(code(tokens, issued)).isNull();
    }

    @Test
    void theDayOfTheLastUseIsWrittenOnce() {
        IssuedToken used = tokens.create(order(Role.PRODUCER), "operator");
        IssuedToken unused = tokens.create(order(Role.PRODUCER), "operator");
        run(tokens);
        assertThat(tokens.all()).extracting(StoredToken::lastUsed).containsOnlyNulls();
        tokens.find(used.text());
        run(tokens);
        assertThat(lastUsed(used)).isEqualTo("2027-01-15");
        assertThat(lastUsed(unused)).isNull();
        run(tokens);
        transactions.set(0);
        tokens.find(used.text());
        run(tokens);
        assertThat(transactions).as("the read alone").hasValue(2);
        nowMs.addAndGet(Duration.ofDays(1).toMillis());
        tokens.find(used.text());
        run(tokens);
        assertThat(lastUsed(used)).isEqualTo("2027-01-16");
    }

    @Test
    void aUseThatCannotBeWrittenIsWrittenLater() {
        IssuedToken used = tokens.create(order(Role.PRODUCER), "operator");
        tokens.find(used.text());
        AtomicInteger calls = new AtomicInteger();
        store.before(() -> {
            if (calls.incrementAndGet() == 3) {
                store.goAway();
            }
        });
        assertThatThrownBy(() -> run(tokens)).isInstanceOf(DelayException.class);
        store.before(() -> {});
        assertThat(code(tokens, TokenText.next())).as("the read worked").isEqualTo(ErrorCode.UNAUTHORIZED);
        store.comeBack();
        run(tokens);
        assertThat(lastUsed(used)).isEqualTo("2027-01-15");
    }

    @Test
    void oneTextIsOneToken() {
        String text = "a text that another server made";
        assertThat(tokens.adopt(order(Role.PRODUCER), text, "operator")).isPresent();
        assertThat(tokens.adopt(order(Role.CONSUMER), text, "operator")).isEmpty();
        NewToken late = order(Role.CONSUMER);
        assertThat(TokenTable.add(store.tokens(), late, late.issue(text, 0, "another call")))
                .as("after the look of the first call")
                .isFalse();
        assertThat(tokens.all()).hasSize(1);
        assertThat(tokens.find(text).caller().may(Role.PRODUCER)).isTrue();
    }

    /** Otherwise its token has no limits, and names the topics of a namespace that may be made again. */
    @Test
    void aNamespaceThatIsDeletedMeanwhileLeavesNoToken() {
        NewToken order = new NewToken("shop", List.of(Role.PRODUCER), "", Optional.empty());
        TokenTable other = table();
        for (int call = 1; call <= 3; call++) {
            assertThat(tokens.create(new NewNamespace("shop", ""), "operator")).isTrue();
            AtomicInteger calls = new AtomicInteger(-call);
            store.before(() -> {
                if (calls.incrementAndGet() == 0) {
                    store.before(() -> {});
                    other.deleteNamespace("shop");
                }
            });
            assertThatThrownBy(() -> tokens.create(order, "operator"))
                    .as("deleted before call %d of the store", call)
                    .hasMessageContaining("namespace shop does not exist");
            assertThat(tokens.all()).isEmpty();
        }
    }

    @Test
    void theTokenThatWasMadeWhileItsNamespaceWasDeletedIsDeletedToo() {
        NewToken order = new NewToken("shop", List.of(Role.PRODUCER), "", Optional.empty());
        tokens.create(new NewNamespace("shop", ""), "operator");
        AtomicInteger calls = new AtomicInteger();
        store.before(() -> {
            if (calls.incrementAndGet() == 2) {
                store.before(() -> {});
                store.tokens().add(order.issue(0, "another call").row());
            }
        });
        tokens.deleteNamespace("shop");
        assertThat(calls).hasValue(2);
        assertThat(tokens.all()).isEmpty();
    }

    private String lastUsed(IssuedToken token) {
        return tokens.all().stream()
                .filter(row -> row.tokenId().equals(token.row().tokenId()))
                .findFirst()
                .orElseThrow()
                .lastUsed();
    }

    private void change(IssuedToken token, TokenChange change) {
        StoredToken changed = tokens.change(token.row().tokenId(), change);
        assertThat(tokens.all()).contains(changed);
    }

    private static NewToken order(Role... roles) {
        return new NewToken("*", List.of(roles), "", Optional.empty());
    }

    private static ErrorCode code(TokenTable tokens, IssuedToken token) {
        return code(tokens, token.text());
    }

    private static ErrorCode code(TokenTable tokens, String token) {
        DelayException refusal = tokens.find(token).refusal();
        return refusal == null ? null : refusal.code();
    }

    private static void run(TokenTable tokens) {
        assertThat(tokens.runOnce()).isEqualTo(Duration.ofSeconds(5));
    }
}
