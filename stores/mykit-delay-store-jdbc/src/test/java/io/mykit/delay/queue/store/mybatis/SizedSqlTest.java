package io.mykit.delay.queue.store.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizedSqlTest {
    @ParameterizedTest
    @CsvSource({
        "1,1",
        "15,15",
        "16,16",
        "17,16",
        "31,16",
        "32,32",
        "127,112",
        "128,128",
        "129,128",
        "255,128",
        "256,256",
        "257,256",
        "1000,256"
    })
    void rowsFillALength(int rows, int length) {
        assertThat(SizedSql.filledBy(rows)).isEqualTo(length);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "16,16", "17,32", "32,32", "33,48", "511,512", "512,512"})
    void lengthHoldsTheIds(int ids, int length) {
        assertThat(SizedSql.holding(ids)).isEqualTo(length);
    }

    @Test
    void fewLengthsAndFewStatements() {
        Set<Integer> lengths = new HashSet<>();
        for (int rows = 1; rows <= 1000; rows++) {
            int statements = 0;
            for (int left = rows; left > 0; left -= SizedSql.filledBy(left), statements++) {
                lengths.add(SizedSql.filledBy(left));
            }
            assertThat(statements).isLessThanOrEqualTo(rows / SizedSql.MAX_ROWS + 3);
        }
        assertThat(lengths).hasSize(24);
        assertThat(IntStream.rangeClosed(1, SizedSql.MAX_IDS)
                        .map(SizedSql::holding)
                        .distinct())
                .hasSize(47);
    }
}
