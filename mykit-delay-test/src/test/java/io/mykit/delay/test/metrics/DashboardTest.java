package io.mykit.delay.test.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DashboardTest {
    private final Dashboard dashboard = Dashboard.read();

    @Test
    void eachPanelHasAnIdOfItsOwn() {
        assertThat(dashboard.panels())
                .extracting(panel -> panel.getInteger("id"))
                .doesNotHaveDuplicates();
    }

    @Test
    void eachPanelHasAUnitAndADescription() {
        assertThat(dashboard.panels())
                .filteredOn(panel -> !panel.getString("type").equals("row"))
                .hasSizeGreaterThan(40)
                .allSatisfy(panel -> {
                    assertThat(panel.getString("title")).isNotBlank();
                    assertThat(panel.getString("description"))
                            .as(panel.getString("title"))
                            .endsWith(".");
                    assertThat(panel.getJSONObject("fieldConfig")
                                    .getJSONObject("defaults")
                                    .getString("unit"))
                            .as(panel.getString("title"))
                            .isNotBlank();
                    assertThat(panel.getJSONArray("targets")).isNotEmpty();
                });
    }

    @Test
    void asksForTheNodesThatAreChosen() {
        assertThat(dashboard.variables()).containsExactly("datasource", "job", "instance", "topic");
        assertThat(dashboard.expressions())
                .allSatisfy(expression -> assertThat(expression).contains("job=~\"$job\",instance=~\"$instance\""));
    }
}
