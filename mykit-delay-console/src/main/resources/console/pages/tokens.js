import {h, useState} from '../view.js';
import {t, word} from '../i18n.js';
import {get, post, usePoll} from '../api.js';
import {go} from '../router.js';
import {confirmAction} from '../actions.js';
import {Badge, Button, Copy, Field, Heading, Name, Pages, Panel, Select, Table, Time} from '../widgets.js';
import * as limits from '../limits.js';
import * as f from '../format.js';

/** The roles of tokens, as the server names them. */
const ROLES = ['producer', 'consumer', 'viewer', 'operator', 'admin'];
const ADMIN = 'admin';
/** The namespace of tokens that see the whole queue. */
const ALL = '*';
const TONES = new Map([['valid', 'good'], ['expired', 'bad'], ['disabled', 'calm']]);
const PAGE = 100;

/** The tokens of the table. The text of a token is in one answer alone: that of its making. */
export function Tokens({params}) {
    const namespace = params.get('namespace') ?? '';
    return h(List, {key: namespace, namespace});
}

function List({namespace}) {
    const [after, setAfter] = useState([]);
    const poll = usePoll(abort => get('tokens', [['namespace', namespace], ['after', after.at(-1)], ['limit', PAGE]], abort), 0, [after]);
    const namespaces = usePoll(abort => get('namespaces', [], abort), 0, []);
    const names = known([ALL, ...(namespaces.data ?? []).map(each => each.name)], namespace);
    return h('div', {'data-test-page': 'tokens'},
        h(Heading, {text: t('nav.tokens')}),
        h('div', {class: 'filters'},
            h(Field, {label: t('field.namespace')}, h(Select, {
                value: namespace, test: 'of-namespace', onChange: name => go('tokens', [['namespace', name]]),
                options: [['', t('tokens.ofAll')], ...names.map(name => [name, named(name)])]
            })),
            h(Button, {onClick: poll.again, 'data-test': 'reload'}, t('reload')),
            h(Button, {kind: 'main', 'data-test': 'make', onClick: () => confirmAction(makeAction(names, namespace, poll.again))}, t('tokens.make'))),
        h(Panel, {poll, what: 'GET /tokens', test: 'tokens', height: 'high', empty: t('tokens.empty'), isEmpty: list => list.length === 0 && after.length === 0}, list => [
            h(Table, {test: 'token-list', caption: t('nav.tokens'), rows: list, keyOf: row => row.tokenId, columns: columns(poll.again)}),
            h(Pages, {after, setAfter, next: list.length === PAGE && list.at(-1).tokenId})]));
}

/** The names with that of the address. */
function known(names, namespace) {
    return namespace === '' || names.includes(namespace) ? names : [...names, namespace];
}

function named(namespace) {
    return namespace === ALL ? t('tokens.queue') : f.visibleLine(namespace);
}

function columns(again) {
    return [
        {label: t('field.id'), cell: row => h(Name, {text: row.tokenId})},
        {label: t('field.namespace'), cell: row => (row.namespace === ALL ? t('tokens.queue') : h(Name, {text: row.namespace}))},
        {label: t('field.roles'), cell: row => row.roles.map(roleName).join(', ')},
        {label: t('field.description'), cell: row => h(Name, {text: row.description})},
        {label: t('field.limits'), cell: row => h(limits.Words, {names: limits.OF_TOKENS, row})},
        {label: t('field.created'), cell: row => h('span', null, h(Time, {ms: row.createTime, rel: false}), ' ', h('span', {class: 'rel'}, h(Name, {text: row.createdBy})))},
        {label: t('field.expires'), cell: row => (row.expires === null ? t('tokens.never') : h(Time, {ms: row.expires, rel: false}))},
        {label: t('field.lastUsed'), cell: row => row.lastUsed ?? '–'},
        {label: t('field.state'), cell: row => h(Badge, {code: stateOf(row), tone: TONES.get(stateOf(row)), prefix: 'tokens.state.'})},
        {label: t('field.action'), cell: row => h('span', {class: 'pair'},
            h(Button, {kind: 'quiet small', 'data-test': 'change', onClick: () => confirmAction(changeAction(row, again))}, t('change')),
            h(Button, {kind: 'quiet small', 'data-test': 'switch', onClick: () => confirmAction(switchAction(row, again))}, t(row.disabled ? 'tokens.enable' : 'tokens.disable')),
            h(Button, {kind: 'quiet small', 'data-test': 'delete', onClick: () => confirmAction(deleteAction(row, again))}, t('delete')))}];
}

function stateOf(row) {
    if (row.disabled) {
        return 'disabled';
    }
    return row.expires !== null && row.expires <= f.now() ? 'expired' : 'valid';
}

function roleName(role) {
    return word('role.', role.toUpperCase());
}

function facts(row) {
    return [[t('field.id'), h(Name, {text: row.tokenId})], [t('field.namespace'), named(row.namespace)], [t('field.description'), h(Name, {text: row.description})],
        [t('field.lastUsed'), row.lastUsed ?? t('tokens.never')]];
}

/** What a new token and a change of a token have in common. Only tokens of the whole queue may be of administrators. */
function form(values, set, namespace, expiresHint) {
    const toggle = role => set('roles', ROLES.filter(each => (each === role ? !values.roles.includes(each) : values.roles.includes(each))));
    return [
        h('fieldset', {class: 'statuses'}, h('legend', null, t('field.roles')), ROLES.filter(role => role !== ADMIN || namespace === ALL).map(role => {
            const on = values.roles.includes(role);
            return h('label', {key: role, class: 'chip' + (on ? ' on' : '')},
                h('input', {type: 'checkbox', checked: on, 'data-test': 'role-' + role, onChange: () => toggle(role)}), roleName(role));
        })),
        h(Field, {label: t('field.description')}, h('input', {value: values.description, 'data-test': 'token-description', onInput: e => set('description', e.target.value)})),
        h(Field, {label: t('tokens.expiresIn'), hint: expiresHint}, h('input', {
            value: values.expiresIn, 'data-test': 'expires-in', autocomplete: 'off', spellcheck: false, onInput: e => set('expiresIn', e.target.value.trim())
        })),
        h(limits.Inputs, {names: limits.OF_TOKENS, values, set})];
}

function makeAction(names, namespace, done) {
    return {
        title: t('tokens.make'), note: t('tokens.note'), label: t('tokens.make'), done,
        values: {namespace: namespace === '' ? ALL : namespace, roles: [], description: '', expiresIn: '', ...limits.values(limits.OF_TOKENS)},
        form: (values, set) => h('div', null,
            h(Field, {label: t('field.namespace')}, h(Select, {
                value: values.namespace, test: 'token-namespace', options: names.map(name => [name, named(name)]), onChange: name => {
                    set('namespace', name);
                    set('roles', values.roles.filter(role => role !== ADMIN || name === ALL));
                }
            })),
            form(values, set, values.namespace, t('tokens.expiresHint'))),
        go: async (counted, values) => {
            const order = {namespace: values.namespace, roles: values.roles, description: values.description, ...limits.changed(limits.OF_TOKENS, values)};
            const made = await post('tokens', values.expiresIn === '' ? order : {...order, expiresIn: values.expiresIn});
            return h('div', null, h('p', null, t('tokens.made')),
                h('p', null, h('code', {class: 'to-type', 'data-test': 'new-token'}, made.token)), h(Copy, {text: made.token, label: t('tokens.copy')}));
        }
    };
}

/** Only what differs is sent. */
function changeAction(row, done) {
    return {
        title: t('change'), facts: facts(row), label: t('change'), done,
        values: {roles: row.roles, description: row.description, expiresIn: '', ...limits.values(limits.OF_TOKENS, row)},
        form: (values, set) => h('div', null, form(values, set, row.namespace, t('tokens.expiresKeep'))),
        go: async (counted, values) => {
            const change = {tokenId: row.tokenId, ...limits.changed(limits.OF_TOKENS, values, row)};
            if (values.roles.join() !== row.roles.join()) {
                change.roles = values.roles;
            }
            if (values.description !== row.description) {
                change.description = values.description;
            }
            if (values.expiresIn !== '') {
                change.expiresIn = values.expiresIn;
            }
            await post('tokens/change', change);
            return t('changed');
        }
    };
}

function switchAction(row, done) {
    const name = row.disabled ? 'tokens.enable' : 'tokens.disable';
    return {
        title: t(name), facts: facts(row), note: row.disabled ? undefined : t('tokens.disableNote'), label: t(name), danger: !row.disabled, done,
        go: async () => {
            await post('tokens/change', {tokenId: row.tokenId, disabled: !row.disabled});
            return t('changed');
        }
    };
}

function deleteAction(row, done) {
    return {
        title: t('delete'), facts: facts(row), note: t('tokens.deleteNote'), label: t('delete'), danger: true, done,
        go: async () => {
            await post('tokens/delete', {tokenId: row.tokenId});
            return t('tokens.deleted');
        }
    };
}
