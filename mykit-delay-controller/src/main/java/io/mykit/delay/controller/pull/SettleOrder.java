package io.mykit.delay.controller.pull;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.json.JsonFields;
import io.mykit.delay.json.JsonReader;
import io.mykit.delay.json.JsonSyntaxException;
import io.mykit.delay.queue.consumer.Settlement;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages that a call settles: one, whose fields stand in the URL, a form or a JSON object; or those of the array {@code
 * items} of a JSON object. No message is settled before the last item is read, so a broken array settles none.
 *
 * @param several whether they stood in an array, so that the answer is an array too
 */
record SettleOrder(List<Item> items, boolean several) {
    private static final String ITEMS = "items";
    /** The nesting depth between two items. */
    private static final int ARRAY_DEPTH = 2;

    static SettleOrder read(Call call, JsonParameters fields) {
        if (!call.hasJson()) {
            return one(call);
        }
        try (JsonReader json = new JsonReader(call.json())) {
            json.beginObject();
            String first = json.nextField();
            if (!ITEMS.equals(first)) {
                Parameters inBody = fields.rest(json, first);
                json.end();
                return one(call.withBody(inBody));
            }
            List<Item> items = items(json, call, fields);
            String other = json.nextField();
            if (other != null || !call.parameters().isEmpty()) {
                throw invalid("items goes alone; leave out the other fields");
            }
            json.end();
            return new SettleOrder(items, true);
        }
    }

    private static SettleOrder one(Call call) {
        return new SettleOrder(List.of(new Item(SettleFields.withReceipt(call), null)), false);
    }

    private static List<Item> items(JsonReader json, Call call, JsonParameters fields) {
        JsonFields.array(json, ITEMS);
        List<Item> items = new ArrayList<>();
        while (json.nextItem()) {
            if (items.size() == MessageLimits.MAX_BATCH) {
                throw invalid("items has at most " + MessageLimits.MAX_BATCH + " items");
            }
            items.add(item(json, call, fields));
        }
        return items;
    }

    private static Item item(JsonReader json, Call call, JsonParameters fields) {
        try {
            if (!json.isObject()) {
                throw invalid("an item must be an object");
            }
            return new Item(SettleFields.withReceipt(call.with(fields.object(json))), null);
        } catch (JsonSyntaxException broken) {
            // The begin of the next item is unknown.
            throw broken;
        } catch (DelayException refused) {
            json.leave(ARRAY_DEPTH);
            return new Item(null, refused);
        }
    }

    /** An item that was parsed or refused: one of the two components is null. */
    record Item(Settlement settlement, DelayException refused) {}
}
