import {h} from './view.js';
import {t} from './i18n.js';
import {href} from './router.js';
import {BarChart} from './chart.js';
import {Ago, Count, Meter} from './widgets.js';
import * as f from './format.js';

const MINUTE = 60_000;
const WAITING = 'WAIT_PUT,DELAY,READY';

const link = (from, to) => href('messages', [['status', WAITING], ['dueFrom', from], ['dueTo', to]]);
const sum = (slots, tier) => slots.reduce((all, slot) => all + (f.countOf(slot[tier]) ?? 0), 0);

/** What falls due when: the numbers first, then the slots of the next hour, day and month. */
export function Due({data}) {
    const groups = [['hour', MINUTE], ['day', 60 * MINUTE], ['month', 24 * 60 * MINUTE]]
        .map(([name, size]) => [name, (data.slots ?? []).filter(slot => slot.to - slot.from === size)])
        .filter(([, slots]) => slots.length > 0);
    const minute = groups.find(([name]) => name === 'hour')?.[1][0];
    const numbers = [
        ['overdue', data.overdue, href('messages', [['status', WAITING], ['dueTo', data.asOf]])],
        minute && ['minute', minute, link(minute.from, minute.to)],
        ...groups.map(([name, slots]) => [name, {near: sum(slots, 'near'), far: sum(slots, 'far')}, link(slots[0].from, slots.at(-1).to)]),
        data.slots && ['later', data.later, href('messages', [['status', 'WAIT_PUT'], ['dueFrom', data.slots.at(-1).to]])]
    ].filter(Boolean);
    const tones = ['near', 'far'];
    const names = [t('count.near'), t('count.far')];
    return h('div', null,
        h('ul', {class: 'due-numbers'}, numbers.map(([name, tiers, to]) => h('li', {key: name, 'data-test': 'due-' + name},
            h('span', {class: 'label'}, t('due.' + name)), h('a', {href: to}, h(Tiers, {tiers}))))),
        h('div', {class: 'charts'}, groups.map(([name, slots]) => h(BarChart, {
            key: name, title: t('due.by.' + name), tones, names, test: 'due-bars-' + name, slots: slots.map(slot => ({
                from: slot.from, label: label(name, slot), href: link(slot.from, slot.to),
                parts: tones.map(tier => f.countOf(slot[tier]) ?? 0)
            }))
        }))),
        h('div', {class: 'hint due-state', 'data-test': 'due-state'},
            h('span', {class: 'key near'}, h('i', {'aria-hidden': 'true'}), t('count.near')), ' ',
            h('span', {class: 'key far'}, h('i', {'aria-hidden': 'true'}), t('count.far')), ' ',
            data.countedAt > 0 ? [t('due.counted'), ' ', h(Ago, {ms: data.countedAt})] : t('due.notCounted'),
            data.running && [' · ', data.done === null ? t('due.begins') : t('due.running', {percent: f.number(Math.floor(data.done * 100)) + '%'}), data.done !== null && h(Meter, {part: data.done, whole: 1, label: t('due.title')})]));
}

function Tiers({tiers}) {
    if (!tiers) {
        return h('span', {class: 'unknown'}, '–');
    }
    const known = [tiers.near, tiers.far].filter(count => count !== null && count !== undefined);
    const all = {n: known.reduce((n, count) => n + f.countOf(count), 0), capped: known.some(count => count.capped)};
    return h('span', {class: 'big'}, known.length === 0 ? '–' : h(Count, {value: all, compact: true}));
}

function label(name, slot) {
    return name === 'month' ? f.absolute(slot.from).slice(5, 10) : f.clockTime(slot.from, false);
}
