import {h} from './view.js';
import {t} from './i18n.js';
import {Field} from './widgets.js';
import * as f from './format.js';

const perSecond = n => t('limits.perSecond', {n: f.number(n)});
/** How a limit is shown, by its name in the calls. */
const SHOWN = new Map([['pushRate', perSecond], ['pullRate', perSecond], ['maxDelay', f.duration], ['maxBody', f.bytes], ['maxTopics', f.number]]);

export const OF_NAMESPACES = [...SHOWN.keys()];
export const OF_TOKENS = ['pushRate', 'pullRate'];

/** The limits of a row in words. */
export function words(names, row) {
    return names.filter(name => row[name]).map(name => t('limits.' + name) + ' ' + SHOWN.get(name)(row[name]));
}

/** The same for a list, which breaks lines between them. */
export function Words({names, row}) {
    const all = words(names, row);
    return h('span', null, all.length === 0 ? '–' : all.map((text, i) => [i > 0 && ', ', h('span', {class: 'whole'}, text)]));
}

/** The values of a form. A new row has no limits. */
export function values(names, row = {}) {
    const text = name => (name === 'maxDelay' ? f.writeDuration(row[name]) : String(row[name]));
    return Object.fromEntries(names.map(name => [name, row[name] ? text(name) : '']));
}

/** The limits that differ from those of the row, as the calls take them. */
export function changed(names, edited, row) {
    const before = values(names, row);
    return Object.fromEntries(names.filter(name => edited[name] !== before[name]).map(name => [name, ordered(edited[name])]));
}

/** An empty field is 0, which is no limit. What is no number is a duration, or a mistake that the server names. */
function ordered(text) {
    return /^(-?\d{1,15})?$/.test(text) ? Number(text) : text;
}

export function Inputs({names, values, set}) {
    return h('fieldset', {class: 'filters'}, h('legend', null, t('limits.legend')), names.map(name =>
        h(Field, {key: name, label: `${t('limits.' + name)} (${name})`, hint: t('limits.hint.' + (OF_TOKENS.includes(name) ? 'rate' : name))}, h('input', {
            value: values[name], 'data-test': name, autocomplete: 'off', spellcheck: false, onInput: e => set(name, e.target.value.trim())
        }))));
}
