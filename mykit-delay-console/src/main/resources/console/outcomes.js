import {h} from './view.js';
import {hasWord, t} from './i18n.js';
import {post, postForm} from './api.js';
import {Field, Name, Time} from './widgets.js';
import * as f from './format.js';

// What an action on one message answers, in words. Nothing is said before the server has answered.
const words = prefix => e => (e.status === 0 ? t('outcome.noAnswer') : hasWord(prefix, e.code) ? t(prefix + e.code) : undefined);

export const cancelWords = words('cancel.');
export const laterWords = words('later.');
const restoreWords = words('restoreOne.');

function facts(job) {
    return [[t('field.id'), h(Name, {text: job.id})], [t('field.topic'), h(Name, {text: job.topic})],
        [t('field.due'), h(Time, {ms: job.nextAttempt ?? job.dueTime})]];
}

export function cancelAction(job, done) {
    return {
        title: t('cancel.title'), facts: facts(job), note: t('cancel.note'), label: t('cancel.title'), danger: true, done, failed: cancelWords,
        go: async () => {
            await postForm('delete', [['jobId', job.id]]);
            return t('cancel.done');
        }
    };
}

export function nowAction(job, done) {
    return {
        title: t('now.title'), facts: facts(job), label: t('now.title'), done, failed: laterWords,
        go: async () => {
            await post('reschedule', {id: job.id, delay: 0});
            return t('now.done');
        }
    };
}

export function laterAction(job, done) {
    return {
        title: t('later.title'), facts: facts(job), label: t('later.title'), done, failed: laterWords,
        values: {at: f.toWall(Math.floor((f.now() + 3_600_000) / 1000) * 1000)},
        form: (values, set) => h(Field, {label: `${t('later.at')} (${f.zoneName()}, ${f.offset()})`}, h('input', {
            type: 'datetime-local', step: 1, value: values.at, 'data-test': 'later-at', onChange: e => set('at', e.target.value)
        })),
        go: async (counted, values) => {
            const triggerAt = f.fromWall(values.at);
            await post('reschedule', {id: job.id, triggerAt});
            return t('later.done', {time: f.absolute(triggerAt, true) + ' ' + f.offset(triggerAt)});
        }
    };
}

export function restoreAction(job, done) {
    const note = {FINISH: t('restoreOne.again', {time: f.absolute(job.updateTime, true)}), DELETE: t('restoreOne.cancelled')}[job.statusName];
    return {
        title: t('restore.title'), facts: facts(job), note: note ?? t('restoreOne.note'), label: t('restore.title'), done, failed: restoreWords,
        go: async () => {
            await postForm('reStoreJob', [['jobId', job.id]]);
            return t('restoreOne.done');
        }
    };
}
