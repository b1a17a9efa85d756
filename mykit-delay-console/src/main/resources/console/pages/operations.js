import {h} from '../view.js';
import {t, word} from '../i18n.js';
import {get, usePoll} from '../api.js';
import {session} from '../session.js';
import {confirmAction} from '../actions.js';
import {clearAllAction, restoreAction} from '../clearing.js';
import {Badge, Button, Heading, Name, Notice, Panel, Table, Time} from '../widgets.js';
import {Work} from '../work.js';
import * as f from '../format.js';

export function Operations({overview}) {
    const poll = usePoll(abort => get('operations', [], abort), 2000, []);
    const config = usePoll(abort => get('config', [], abort), 0, []);
    const queue = overview.data?.queue;
    return h('div', {'data-test-page': 'operations'},
        h(Heading, {text: t('nav.operations')}),
        session.acts ? h('div', {class: 'columns'},
            h('section', {class: 'panel', 'data-test': 'restore-panel'}, h('h2', null, t('restore.title')), h('p', null, t('restore.text')),
                h(Button, {'data-test': 'restore', onClick: () => confirmAction(restoreAction(poll.again))}, t('restore.title'))),
            h('section', {class: 'panel', 'data-test': 'clear-panel'}, h('h2', null, t('clear.everything')), h('p', null, t('clear.text')),
                h(Button, {kind: 'danger', disabled: queue === undefined, 'data-test': 'clear-all', onClick: () => confirmAction(clearAllAction(queue, poll.again))}, t('clear.everything'))))
            : h(Notice, {test: 'reads-only'}, t('operations.readOnly')),
        h(Panel, {title: t('work.title'), poll, what: 'GET /operations', test: 'running', empty: t('work.empty'), isEmpty: data => data.work.length === 0},
            data => data.work.map(work => h(Work, {key: work.id, work, done: poll.again}))),
        h(Panel, {title: t('calls.title'), poll, what: 'GET /operations', test: 'recent', empty: t('calls.empty'),
            isEmpty: data => data.recent.length === 0}, data => h(Recent, {data})),
        h(Panel, {title: t('config.title'), poll: config, what: 'GET /config', test: 'config'},
            data => h(Config, {settings: data.settings})));
}

/** The last calls that acted on the queue, from all nodes. */
function Recent({data}) {
    return h('div', null, data.nodesComplete === false && h('p', {class: 'hint', 'data-test': 'recent-limits'}, t('calls.oneNode')),
        h(Table, {
            test: 'recent-list', caption: t('calls.title'), rows: data.recent, keyOf: call => `${call.time} ${call.node} ${call.call} ${call.what}`, columns: [
                {label: t('field.time'), cell: call => h(Time, {ms: call.time})},
                {label: t('field.action'), class: 'whole', cell: call => word('call.', call.call)},
                {label: t('calls.what'), cell: call => h(Name, {text: call.what})},
                {label: t('calls.caller'), cell: call => h('span', null, word('role.', call.caller.toUpperCase()), ' ', h('span', {class: 'rel'}, h(Name, {text: call.address})))},
                {label: t('field.node'), cell: call => h(Name, {text: call.node})},
                {label: t('calls.took'), class: 'num', cell: call => f.duration(call.milliseconds)},
                {label: t('field.answer'), cell: call => h(Badge, {code: call.result, tone: call.status < 400 ? 'good' : 'bad',
                    text: call.status === 202 ? t('calls.running') : call.status < 400 ? t('calls.done') : call.result})}]
        }));
}

function Config({settings}) {
    const rows = Object.entries(settings);
    return h('details', null, h('summary', {'data-test': 'config-open'}, t('config.show', {n: rows.length, nText: f.number(rows.length)})),
        h(Table, {
            test: 'config-list', caption: t('config.title'), rows, keyOf: ([key]) => key, columns: [
                {label: t('field.setting'), cell: ([key]) => h('code', null, h(Name, {text: key}))},
                {label: t('field.value'), cell: ([, value]) => h(Name, {text: value})}]
        }));
}
