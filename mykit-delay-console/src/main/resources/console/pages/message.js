import {h} from '../view.js';
import {t, word} from '../i18n.js';
import {get, jobPath, usePoll} from '../api.js';
import {session} from '../session.js';
import {href} from '../router.js';
import {confirmAction} from '../actions.js';
import {Button, Copy, Facts, Heading, Name, Notice, Panel, Since, Table, Time} from '../widgets.js';
import {cancelAction, laterAction, nowAction, restoreAction} from '../outcomes.js';
import {oneAction} from './dead.js';
import {Timeline, detailText} from '../timeline.js';
import {StatusBadge, isOverdue, troubleOf} from '../trouble.js';
import {Body} from '../body.js';
import * as f from '../format.js';

const FIRST_BYTES = 16_384;
const MOVABLE = new Set(['WAIT_PUT', 'DELAY']);
const ENDED = new Set(['FINISH', 'DELETE', 'FAILED', 'EXPIRED']);

export function Message({id}) {
    // A message that has ended does not move by itself any more.
    const poll = usePoll(abort => read(id, abort), job => (ENDED.has(job?.statusName) ? 0 : 5000), [id]);
    const missing = poll.error?.status === 404 && poll.data === null;
    return h('div', {'data-test-page': 'message'},
        h(Heading, {text: id, tools: h(Copy, {text: id, label: t('message.copyId')})}, h(Name, {text: id})),
        missing ? h(Notice, {test: 'unknown-id'}, t('message.unknown'), ' ', h('a', {href: href('messages', [['idPrefix', id]])}, t('message.similar')))
            : h(Panel, {poll, what: 'GET /job/{id}', test: 'message', height: 'high', class: 'plain'}, job => h(One, {job, again: poll.again})));
}

const dueOf = job => job.nextAttempt ?? job.dueTime;

async function read(id, abort) {
    const job = await get(jobPath(id), [['body', FIRST_BYTES]], abort);
    return isOverdue(job.statusName, dueOf(job), f.now()) ? {...job, trouble: await troubleOf(job.topic, abort)} : job;
}

function One({job, again}) {
    return h('div', null,
        h('div', {class: 'line state', 'data-test': 'state', 'data-status': job.statusName},
            h(StatusBadge, {status: job.statusName, due: dueOf(job), at: f.now(), trouble: job.trouble}), h('span', null, sentence(job))),
        h(Actions, {job, again}),
        h('section', {class: 'panel'}, h('h2', null, t('timeline.title')), h(Timeline, {job})),
        h('div', {class: 'columns'},
            h('section', {class: 'panel'}, h('h2', null, t('message.fields')), h(Fields, {job})),
            h('section', {class: 'panel'}, h('h2', null, t('message.headers')), h(Headers, {headers: job.headers}))),
        h('section', {class: 'panel'}, h('h2', null, t('field.body')), h(Body, {job, first: FIRST_BYTES})),
        (job.result !== undefined || job.resultBase64 !== undefined) && h('section', {class: 'panel'}, h('h2', null, t('message.result')),
            h('pre', {class: 'source', tabindex: 0, 'aria-label': t('message.result')}, f.visible(job.result ?? job.resultBase64))));
}

/** Where the message is and what comes next. */
function sentence(job) {
    const due = dueOf(job);
    const when = f.duration(Math.abs(due - f.now()));
    const late = due < f.now();
    if (job.statusName === 'DELAY') {
        return t(late ? 'message.is.nearLate' : 'message.is.near', {d: when});
    }
    if (job.statusName === 'WAIT_PUT') {
        return t(late ? 'message.is.farLate' : 'message.is.far', {d: when});
    }
    return job.statusName === 'READY' && job.channel === 'pull' ? t('message.is.readyPulled') : word('message.is.', job.statusName);
}

function Actions({job, again}) {
    const ask = make => () => confirmAction(make(job, again));
    const movable = MOVABLE.has(job.statusName);
    const unfinished = movable || job.statusName === 'READY' || job.statusName === 'RESTORE';
    const dead = job.statusName === 'FAILED';
    const buttons = [
        session.pushes && movable && h(Button, {'data-test': 'deliver-now', onClick: ask(nowAction)}, t('now.title')),
        session.pushes && movable && h(Button, {'data-test': 'reschedule', onClick: ask(laterAction)}, t('later.title')),
        session.acts && dead && h(Button, {'data-test': 'respawn', onClick: () => confirmAction(oneAction(job.id, 'respawn', again))}, t('respawn.again')),
        session.acts && !dead && h(Button, {'data-test': 'restore', onClick: ask(restoreAction)}, t('restore.title')),
        h('span', {class: 'fill'}),
        session.acts && dead && h(Button, {kind: 'danger', 'data-test': 'discard', onClick: () => confirmAction(oneAction(job.id, 'discard', again))}, t('discard.it')),
        session.pushes && unfinished && h(Button, {kind: 'danger', 'data-test': 'cancel', onClick: ask(cancelAction)}, t('cancel.title'))];
    return h('div', {class: 'filters actions', 'data-test': 'actions'}, buttons);
}

function Fields({job}) {
    const nodes = [...new Set((job.flow ?? []).map(move => move.host).filter(Boolean))];
    const retry = job.retry === undefined ? null : JSON.stringify(job.retry);
    const target = job.target === undefined ? null : JSON.stringify(job.target);
    return h(Facts, {rows: [
        [t('field.topic'), h(Name, {text: job.topic, href: session.reads ? href('topics', [['topic', job.topic]]) : undefined})],
        job.channel && [t('field.channel'), job.channel],
        job.channel && [t('field.destination'), job.destination ? h(Name, {text: job.destination})
            : t(job.channel === 'pull' ? 'message.pulled' : 'message.noDestination')],
        job.bucket !== undefined && [t('field.bucket'), h('span', {'data-test': 'bucket'}, job.bucket)],
        job.requestId && [t('field.requestId'), h('span', {'data-test': 'request-id'}, h(Name, {text: job.requestId}))],
        job.subtopic && [t('field.subtopic'), h(Name, {text: job.subtopic})],
        job.bizKey && [t('field.bizKey'), h(Name, {text: job.bizKey})],
        [t('field.due'), h(Time, {ms: job.dueTime, millis: true})],
        job.nextAttempt !== undefined && job.nextAttempt !== job.dueTime && [t('field.nextAttempt'), h(Time, {ms: job.nextAttempt, millis: true})],
        [t('field.created'), h(Time, {ms: job.createTime, millis: true})],
        [t('field.changed'), h(Time, {ms: job.updateTime, millis: true})],
        [t('field.delay'), f.duration(job.delay)],
        [t('field.attempts'), t(job.maxAttempts > 0 ? 'message.attemptsOf' : 'message.attempts', {nText: f.number(job.attempts), n: job.attempts, max: f.number(job.maxAttempts)})],
        job.consumer !== undefined && [t('field.consumer'), h('span', {'data-test': 'consumer'}, h(Name, {text: job.consumer}), ' ',
            t('since'), ' ', h(Since, {ms: job.takenAt}))],
        job.leaseUntil !== undefined && [t('field.leaseUntil'), h('span', {'data-test': 'lease'}, h(Time, {ms: job.leaseUntil}))],
        job.lastError && [t('field.lastError'), h('q', null, h(Name, {text: detailText(job.lastError)}))],
        job.priority > 0 && [t('field.priority'), job.priority],
        [t('field.ttl'), job.ttl > 0 ? f.duration(job.ttl * 1000) : t('message.forever')],
        job.ttr !== undefined && [t('field.ttr'), f.duration(job.ttr)],
        retry !== null && [t('field.retry'), h(Name, {text: retry})],
        target !== null && [t('field.target'), h(Name, {text: target})],
        nodes.length > 0 && [t('field.nodes'), nodes.map((node, i) => [i > 0 && ', ', h(Name, {text: node})])]]});
}

function Headers({headers}) {
    const entries = Object.entries(headers ?? {});
    return entries.length === 0 ? h('p', {class: 'empty'}, t('message.noHeaders')) : h(Table, {
        test: 'headers', caption: t('message.headers'), rows: entries, keyOf: ([name]) => name, columns: [
            {label: t('field.name'), cell: ([name]) => h(Name, {text: name})},
            {label: t('field.value'), cell: ([, value]) => h(Name, {text: value})}]
    });
}
