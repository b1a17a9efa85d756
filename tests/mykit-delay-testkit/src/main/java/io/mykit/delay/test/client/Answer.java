package io.mykit.delay.test.client;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;

/** An HTTP answer: its status, and its envelope if it is JSON. */
public record Answer(int status, String text) {

    public JSONObject json() {
        return JSON.parseObject(text);
    }

    public String data() {
        return json().getString("data");
    }

    public JSONObject dataObject() {
        return json().getJSONObject("data");
    }

    public String error() {
        return json().getString("error");
    }

    /** The sum of the samples of a scrape that begin so. */
    public double metric(String beginning) {
        return text.lines()
                .filter(line -> line.startsWith(beginning))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
