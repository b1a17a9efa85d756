import {h} from './view.js';
import {t} from './i18n.js';
import {get, usePoll} from './api.js';
import {LineChart} from './chart.js';
import {Panel} from './widgets.js';
import * as f from './format.js';

const HOUR = 3_600_000;

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
    const {points, step} = data;
    const seconds = step / 1000;
    const perSecond = name => point => (Number.isFinite(point[name]) ? point[name] / seconds : undefined);
    const span = HOUR;
    return h('div', null, h(Limits, {data}), h('div', {class: 'charts'},
        h(LineChart, {title: t('series.flow'), unit: t('unit.perSecond'), points, step, span, test: 'chart-flow', series: flow(perSecond, f.rate)}),
        h(Lateness, {points, step, span}),
        h(LineChart, {
            title: t('series.waiting'), points, step, span, test: 'chart-waiting', series: [
                {label: t('count.near'), tone: 'a', value: field('near'), write: f.number}]
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
            {label: 'p50', tone: 'a', value: field('p50'), write: about, axis: f.duration},
            {label: 'p99', tone: 'd', value: field('p99'), write: about}]
    });
}

/** What the numbers leave out. */
function Limits({data}) {
    const all = [data.nodesComplete === false && t('series.oneNode'), data.complete === false && t('series.incomplete')].filter(Boolean);
    return all.length > 0 && h('p', {class: 'hint', 'data-test': 'series-limits'}, all.join(' '));
}
