import {h} from './view.js';
import {t} from './i18n.js';
import {get} from './api.js';
import {LineChart} from './chart.js';
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
    const ms = value => '≈ ' + f.duration(value);
    return h('div', {class: 'charts'},
        h(LineChart, {
            title: t('series.flow'), unit: t('unit.perSecond'), points, step, span, test: 'chart-flow', series: [
                {label: t('series.accepted'), tone: 'a', value: perSecond('accepted'), write: f.rate},
                {label: t('series.delivered'), tone: 'b', value: perSecond('delivered'), write: f.rate},
                {label: t('series.failed'), tone: 'c', value: perSecond('failed'), write: f.rate}]
        }),
        h(LineChart, {
            title: t('series.lateness'), points, step, span, log: true, test: 'chart-lateness', series: [
                {label: 'p50', tone: 'a', value: field('p50'), write: ms, axis: f.duration},
                {label: 'p99', tone: 'd', value: field('p99'), write: ms}]
        }),
        h(LineChart, {
            title: t('series.waiting'), points, step, span, test: 'chart-waiting', series: [
                {label: t('count.near'), tone: 'a', value: field('near'), write: f.number}]
        }));
}
