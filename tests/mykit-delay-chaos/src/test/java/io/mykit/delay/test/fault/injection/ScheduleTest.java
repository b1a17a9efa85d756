package io.mykit.delay.test.fault.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    @Test
    void theSameSeedReplaysTheSameSchedule() {
        List<Step> first = first(500, 7);
        assertThat(first(500, 7)).isEqualTo(first);
        assertThat(first(500, 8)).isNotEqualTo(first);
    }

    @Test
    void everyFaultComesAndPairsNeverBreakTheSame() {
        List<Step> steps = first(2000, 1);
        assertThat(steps.stream().flatMap(step -> step.faults().stream()).map(Fault::name))
                .containsAll(Faults.names());
        assertThat(steps).anyMatch(step -> step.faults().size() == 2);
        assertThat(steps)
                .allMatch(step ->
                        step.faults().stream().map(Fault::what).distinct().count()
                                == step.faults().size());
    }

    @Test
    void aSelectionIsCarriedOutInItsOrder() {
        Schedule schedule = Schedule.each(List.of("flush-redis", "kill-leader"), 1);
        assertThat(schedule.steps()).extracting(Step::name).containsExactly("flush-redis", "kill-leader");
        assertThat(Schedule.each(List.of("flush-redis", "kill-leader"), 1).steps())
                .containsExactlyElementsOf(schedule.steps());
    }

    @Test
    void anUnknownNameIsNamed() {
        assertThatThrownBy(() -> Schedule.random(List.of("kill-everybody"), 1))
                .hasMessageContaining("kill-everybody")
                .hasMessageContaining("kill-leader");
    }

    private static List<Step> first(int count, long seed) {
        Iterator<Step> steps = Schedule.random(Faults.names(), seed).steps().iterator();
        List<Step> first = new ArrayList<>();
        while (first.size() < count) {
            first.add(steps.next());
        }
        return first;
    }
}
