import {h, useSignal} from './view.js';
import {t} from './i18n.js';
import {keepSetting, setting, settingsChanged} from './settings.js';
import {get, usePoll} from './api.js';
import {LineChart} from './chart.js';
import {Button, Panel} from './widgets.js';
import * as f from './format.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WINDOWS = [5 * MINUTE, 15 * MINUTE, HOUR];
/** While nobody looks, the leader counts the messages in Redis once a minute. Lateness is known of times with deliveries alone. */
const SPARSE = MINUTE;

/** The window that was chosen; before that the shortest one that shows all that is known. */
function windowOf(points) {
    const chosen = Number(setting('window', ''));
    const known = points.length === 0 ? 0 : points.at(-1).t - points[0].t;
    return WINDOWS.includes(chosen) ? chosen : WINDOWS.find(span => known <= span) ?? HOUR;
}

export function Windows({points}) {
    useSignal(settingsChanged);
    const shown = windowOf(points);
    return h('span', {class: 'windows', role: 'group', 'aria-label': t('series.window'), 'data-test': 'windows'}, WINDOWS.map(span => h(Button, {
        key: span, kind: 'small', 'aria-pressed': span === shown, 'data-test': 'window-' + span / MINUTE, onClick: () => keepSetting('window', String(span))
    }, f.duration(span))));
}

/** The hour that is known so far, and the points that came since. A step that changed begins anew. */
export async function appendSeries(last, abort) {
    const known = last?.points ?? [];
    const came = await get('series', [['since', known.at(-1)?.t]], abort);
    if (last !== null && last.step !== came.step) {
        return get('series', [], abort);
    }
    const points = new Map([...known, ...came.points].map(point => [point.t, point]));
    const sorted = [...points.values()].sort((a, b) => a.t - b.t);
    return {...came, points: sorted.filter(point => point.t > sorted.at(-1).t - HOUR)};
}

const field = name => point => point[name];

export function FlowCharts({data}) {
    useSignal(settingsChanged);
    const {step} = data;
    const span = windowOf(data.points);
    const points = data.points.filter(point => point.t > data.points.at(-1).t - span);
    const seconds = step / 1000;
    const perSecond = name => point => (Number.isFinite(point[name]) ? point[name] / seconds : undefined);
    return h('div', null, h(Limits, {data}), h('div', {class: 'charts'},
        h(LineChart, {title: t('series.flow'), unit: t('unit.perSecond'), points, step, span, test: 'chart-flow', series: flow(perSecond, f.rate)}),
        h(Lateness, {points, step, span}),
        h(LineChart, {
            title: t('series.waiting'), points, step, span, test: 'chart-waiting', series: [
                {label: t('count.near'), tone: 'a', value: field('near'), write: f.number, every: SPARSE}]
        })));
}

/** The last hour of one topic, a point a minute. */
export function TopicCharts({topic}) {
    const poll = usePoll(abort => get('series', [['topic', topic]], abort), 15_000, [topic]);
    return h(Panel, {title: t('series.topic'), poll, what: 'GET /series', test: 'topic-series', height: 'high',
        empty: t('series.topicEmpty'), isEmpty: data => data.points.length === 0 && data.complete}, data => {
        const {points, step} = data;
        return h('div', null, h(Limits, {data}), h('div', {class: 'charts'},
            h(LineChart, {
                title: t('series.flow'), unit: t('unit.perMinute'), points, step, span: HOUR, seconds: false, test: 'chart-flow',
                series: flow(field, f.number)
            }),
            h(Lateness, {points, step, span: HOUR, seconds: false})));
    });
}

function flow(value, write) {
    return [
        {label: t('series.accepted'), tone: 'a', value: value('accepted'), write},
        {label: t('series.delivered'), tone: 'b', value: value('delivered'), write},
        {label: t('series.failed'), tone: 'c', value: value('failed'), write}];
}

function Lateness({points, step, span, seconds}) {
    const about = value => '≈ ' + f.duration(value);
    return h(LineChart, {
        title: t('series.lateness'), points, step, span, seconds, log: true, test: 'chart-lateness', series: [
            {label: 'p50', tone: 'a', value: field('p50'), write: about, axis: f.duration, every: SPARSE},
            {label: 'p99', tone: 'd', value: field('p99'), write: about, every: SPARSE}]
    });
}

/** What the numbers leave out. */
function Limits({data}) {
    const all = [data.nodesComplete === false && t('series.oneNode'), data.complete === false && t('series.incomplete')].filter(Boolean);
    return all.length > 0 && h('p', {class: 'hint', 'data-test': 'series-limits'}, all.join(' '));
}
