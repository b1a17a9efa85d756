import {h} from './view.js';
import {t, word} from './i18n.js';
import {get} from './api.js';
import {session} from './session.js';
import {Badge} from './widgets.js';

const UNFINISHED = new Set(['WAIT_PUT', 'DELAY', 'READY', 'RESTORE']);
/** A message that is delivered in time is due for some milliseconds, too. */
const LATE_MS = 1000;
const MOST = 200;
/** A message is shown without its trouble if the server takes longer, as without Redis. */
const PATIENCE_MS = 1500;

/** Whether a message should have been delivered by `at`, whatever its row says. */
export function isOverdue(status, due, at) {
    return UNFINISHED.has(status) && at - due >= LATE_MS;
}

/** The state of a message; of an overdue one also what keeps its topic. */
export function StatusBadge({status, due, at, trouble}) {
    if (!isOverdue(status, due, at)) {
        return h(Badge, {code: status, prefix: 'status.'});
    }
    const why = trouble === undefined || trouble === 'late' ? '' : ' · ' + word('topic.', trouble);
    return h(Badge, {code: 'overdue', tone: 'warn', text: t('status.overdue') + why});
}

/** The troubles of topics by their names. Without the right or the numbers none is known, and the page goes on. */
async function troubles(query, abort) {
    try {
        const {items} = await get('topics', [['trouble', true], ...query], AbortSignal.any([abort, AbortSignal.timeout(PATIENCE_MS)]));
        return new Map((items ?? []).map(row => [row.topic, row.trouble]));
    } catch {
        abort.throwIfAborted();
        return new Map();
    }
}

/** The trouble of one topic, or undefined. */
export async function troubleOf(topic, abort) {
    // The name itself comes before longer names that begin with it.
    return session.reads ? (await troubles([['sort', 'name'], ['prefix', topic], ['limit', 1]], abort)).get(topic) : undefined;
}

/** The worst troubles, if one of the messages is overdue. */
export async function troublesOf(messages, at, abort) {
    return session.reads && messages.some(message => isOverdue(message.status, message.nextAttempt ?? message.dueTime, at))
        ? troubles([['sort', 'trouble'], ['limit', MOST]], abort) : new Map();
}
