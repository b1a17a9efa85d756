import {h} from './view.js';
import {t, word} from './i18n.js';
import {CallError, get, post, postForm} from './api.js';
import {seesQueue} from './session.js';
import {Field, Name, Select} from './widgets.js';
import * as f from './format.js';

function cleared(done) {
    const text = t('clear.done', {n: done.rows, nText: f.number(done.rows), d: f.duration(done.milliseconds)});
    return text + (done.stopped ? ' ' + t('work.stopped') : '')
        + (done.unreachable > 0 ? ' ' + t('work.unreachable', {n: done.unreachable, nText: f.number(done.unreachable)}) : '');
}

/** Work that no node tells of for this number of seconds has ended with its node. */
const ABSENT = 15;
/** A token of a namespace cannot ask for work, so its call waits for the end. */
const LONGEST = '1h';

/** What a clear of a topic answers at its end. A long one answers the id of its work before, which then ends without this call. */
async function clearTopic(order) {
    const answer = await post('topics/clear', seesQueue() ? order : {...order, wait: LONGEST});
    if (!answer.running) {
        return answer;
    }
    // The note of another node is some seconds old.
    for (let absent = 0; absent < ABSENT;) {
        await new Promise(resolve => setTimeout(resolve, 1000));
        const seen = await get('operations', []);
        const end = seen.ended.find(work => work.id === answer.id);
        if (end !== undefined && end.outcome !== 'FAILED') {
            return {...end, stopped: end.outcome === 'STOPPED'};
        }
        const gone = end !== undefined || (seen.nodesComplete && seen.work.every(work => work.id !== answer.id));
        absent = !gone ? 0 : end === undefined ? absent + 1 : ABSENT;
    }
    throw new CallError(0, 'WORK_FAILED', '');
}

/** Cancels the messages of one topic: counted first, the name typed. */
export function clearAction(topic, done) {
    return {
        title: t('clear.topic'), danger: true, typed: topic, done,
        facts: [[t('field.topic'), h(Name, {text: topic})]],
        note: t('clear.note'),
        values: {state: 'ready'},
        form: (values, set) => h(Field, {label: t('clear.which')}, h(Select, {
            value: values.state, test: 'clear-state', onChange: state => set('state', state),
            options: ['ready', 'all'].map(state => [state, word('clear.', state)])
        })),
        count: async values => {
            const found = await clearTopic({topic, state: values.state, dryRun: true});
            return {n: found.rows, text: t('clear.counted', {n: found.rows, nText: f.number(found.rows)})};
        },
        label: counted => t('clear.go', {n: counted.n, nText: f.number(counted.n)}),
        go: async (counted, values) => cleared(await clearTopic({topic, state: values.state}))
    };
}

/** Cancels the unfinished messages of all topics; the name of the queue is typed. */
export function clearAllAction(queue, done) {
    return {
        title: t('clear.everything'), danger: true, typed: queue, done, note: t('clear.noteAll'),
        count: async () => {
            const found = await postForm('clearAll', [['dryRun', 'true']]);
            return {n: found.rows, text: t('clear.counted', {n: found.rows, nText: f.number(found.rows)})};
        },
        label: counted => t('clear.go', {n: counted.n, nText: f.number(counted.n)}),
        go: async () => cleared(await postForm('clearAll', []))
    };
}

function restored(done) {
    return t('restore.done', {rows: f.number(done.rows), scheduled: f.number(done.scheduled), expired: f.number(done.expired), d: f.duration(done.milliseconds)})
        + (done.stopped ? ' ' + t('work.stopped') : '')
        + (done.unreachable > 0 ? ' ' + t('work.unreachable', {n: done.unreachable, nText: f.number(done.unreachable)}) : '');
}

/** Puts the messages back that Redis does not know. */
export function restoreAction(done) {
    const fields = values => [['expire', values.expire], ...(values.topic ? [['topic', values.topic]] : [])];
    return {
        title: t('restore.title'), note: t('restore.note'), done,
        values: {expire: 'true', topic: ''},
        form: (values, set) => h('div', {class: 'filters'},
            h(Field, {label: t('restore.overdue')}, h(Select, {
                value: values.expire, test: 'restore-expire', onChange: expire => set('expire', expire),
                options: ['true', 'false'].map(expire => [expire, word('restore.expire.', expire)])
            })),
            h(Field, {label: t('restore.topic')}, h('input', {value: values.topic, 'data-test': 'restore-topic', onInput: e => set('topic', e.target.value)}))),
        count: async values => {
            const found = await postForm('reStore', [...fields(values), ['dryRun', 'true']]);
            return {
                n: found.scheduled + found.expired,
                text: t('restore.counted', {rows: f.number(found.rows), scheduled: f.number(found.scheduled), expired: f.number(found.expired)})
            };
        },
        label: counted => t('restore.go', {n: counted.n, nText: f.number(counted.n)}),
        go: async (counted, values) => restored(await postForm('reStore', fields(values)))
    };
}
