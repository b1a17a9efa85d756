import {h} from '../view.js';
import {t} from '../i18n.js';
import {get, post, usePoll} from '../api.js';
import {href} from '../router.js';
import {confirmAction} from '../actions.js';
import {Button, Field, Heading, Name, Panel, Table, Time} from '../widgets.js';

/** The namespaces of teams. A namespace begins empty, and ends without tokens and unfinished messages. */
export function Namespaces() {
    const poll = usePoll(abort => get('namespaces', [], abort), 0, []);
    return h('div', {'data-test-page': 'namespaces'},
        h(Heading, {text: t('nav.namespaces')}),
        h('div', {class: 'filters'},
            h(Button, {kind: 'main', 'data-test': 'make', onClick: () => confirmAction(makeAction(poll.again))}, t('namespaces.make')),
            h(Button, {onClick: poll.again, 'data-test': 'reload'}, t('reload'))),
        h(Panel, {poll, what: 'GET /namespaces', test: 'namespaces', height: 'high', empty: t('namespaces.empty'), isEmpty: list => list.length === 0}, list => h(Table, {
            test: 'namespace-list', caption: t('nav.namespaces'), rows: list, keyOf: row => row.name, columns: [
                {label: t('field.name'), cell: row => h(Name, {text: row.name})},
                {label: t('field.description'), cell: row => h(Name, {text: row.description})},
                {label: t('field.created'), cell: row => h('span', null, h(Time, {ms: row.createTime}), ' ', h('span', {class: 'rel'}, h(Name, {text: row.createdBy})))},
                {label: t('field.action'), cell: row => h('span', {class: 'pair'},
                    h('a', {class: 'button quiet small', href: href('tokens', [['namespace', row.name]]), 'data-test': 'to-tokens'}, t('nav.tokens')),
                    h(Button, {kind: 'quiet small', 'data-test': 'delete', onClick: () => confirmAction(deleteAction(row.name, poll.again))}, t('namespaces.delete')))}]
        })));
}

function makeAction(done) {
    return {
        title: t('namespaces.make'), note: t('namespaces.note'), label: t('namespaces.make'), done,
        values: {name: '', description: ''},
        form: (values, set) => h('div', null,
            h(Field, {label: t('field.name'), hint: t('namespaces.nameHint')}, h('input', {
                value: values.name, 'data-test': 'namespace-name', autocomplete: 'off', spellcheck: false, onInput: e => set('name', e.target.value.trim())
            })),
            h(Field, {label: t('field.description')}, h('input', {value: values.description, 'data-test': 'namespace-description', onInput: e => set('description', e.target.value)}))),
        go: async (counted, values) => {
            await post('namespaces', values);
            return t('namespaces.made', {name: values.name});
        }
    };
}

function deleteAction(name, done) {
    return {
        title: t('namespaces.delete'), facts: [[t('field.name'), h(Name, {text: name})]], note: t('namespaces.deleteNote'), label: t('namespaces.delete'),
        danger: true, typed: name, done,
        go: async () => {
            await post('namespaces/delete', {name});
            return t('namespaces.deleted');
        }
    };
}
