import {locale, t} from './i18n.js';
import {setting} from './settings.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// The cluster's time of the last answer, and the time of this page at which it came.
let clusterMs = null;
let cameMs = 0;

/** Answers may be kept ones. Only a clock that was set back is far behind. */
export function setClock(asOf) {
    if (Number.isFinite(asOf) && (clusterMs === null || asOf > now() || asOf < now() - MINUTE)) {
        clusterMs = asOf;
        cameMs = performance.now();
    }
}

/** Now by the clock of the cluster. Before the first answer the clock of the browser has to do. */
export function now() {
    return clusterMs === null ? performance.timeOrigin + performance.now() : clusterMs + performance.now() - cameMs;
}

const known = new Map();

/** Making a formatter is slow, and lists need hundreds. */
function formatter(kind, options) {
    const key = kind.name + locale() + JSON.stringify(options);
    if (!known.has(key)) {
        // British English writes a million as "m", which reads as minutes or milli.
        known.set(key, new kind(locale() === 'en-GB' ? 'en' : locale(), options));
    }
    return known.get(key);
}

export function number(n, options = {}) {
    return Number.isFinite(n) ? formatter(Intl.NumberFormat, options).format(n) : '–';
}

export function compact(n) {
    if (!Number.isFinite(n) || Math.abs(n) < 10_000) {
        return number(n);
    }
    return number(n, {notation: 'compact', maximumSignificantDigits: 3});
}

/** A count of the server: a number, or {n, capped}. A count that is not known is no zero. */
export function count(value, write = number) {
    if (value === null || value === undefined) {
        return '–';
    }
    return typeof value === 'number' ? write(value) : write(value.n) + (value.capped ? '+' : '');
}

export function countOf(value) {
    return typeof value === 'object' && value !== null ? value.n : value;
}

export function rate(perSecond) {
    return number(perSecond, {maximumSignificantDigits: 3});
}

export function bytes(n) {
    if (!Number.isFinite(n)) {
        return '–';
    }
    const unit = n < 1024 ? ['byte', 1] : n < 1 << 20 ? ['kibi', 1024] : ['mebi', 1 << 20];
    return t('unit.' + unit[0], {n, nText: number(n / unit[1], {maximumFractionDigits: n < 1024 ? 0 : 1})});
}

/** A duration in at most two units: "4 min 10 s". */
export function duration(ms) {
    if (!Number.isFinite(ms)) {
        return '–';
    }
    const all = Math.abs(ms);
    if (all < SECOND) {
        return t('unit.ms', {d: number(Math.round(all))});
    }
    if (all < 10 * SECOND) {
        return t('unit.s', {d: number(Math.round(all / 100) / 10)});
    }
    if (all < MINUTE) {
        return t('unit.s', {d: number(Math.round(all / SECOND))});
    }
    for (const [big, bigName, small, smallName] of [
        [DAY, 'unit.d', HOUR, 'unit.h'], [HOUR, 'unit.h', MINUTE, 'unit.min'], [MINUTE, 'unit.min', SECOND, 'unit.s']]) {
        if (all >= big) {
            const rest = Math.floor((all % big) / small);
            const whole = t(bigName, {d: number(Math.floor(all / big))});
            return rest === 0 ? whole : whole + ' ' + t(smallName, {d: number(rest)});
        }
    }
    return '–';
}

export function relative(ms, at = now()) {
    const left = ms - at;
    if (Math.abs(left) < SECOND) {
        return t('time.now');
    }
    return left > 0 ? t('time.in', {d: duration(left)}) : t('time.ago', {d: duration(left)});
}

/** The zone in which all times of the page are written: undefined is the browser's. */
export function zone() {
    const chosen = setting('zone', 'browser');
    return chosen === 'browser' ? undefined : chosen;
}

export function zoneName() {
    return zone() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const DATE = {year: 'numeric', month: '2-digit', day: '2-digit'};
const CLOCK = {hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23'};

function pieces(ms, options) {
    const format = formatter(Intl.DateTimeFormat, {...options, timeZone: zone()});
    return new Map(format.formatToParts(new Date(ms)).map(part => [part.type, part.value]));
}

/** Anything may stand in the page's address, and a time beyond these bounds throws. */
const isTime = ms => Number.isFinite(ms) && Math.abs(ms) <= 8.64e15;

/** "2026-11-22 14:03:05.120": the same in all languages, and sortable. */
export function absolute(ms, millis = false) {
    if (!isTime(ms)) {
        return '–';
    }
    const p = pieces(ms, {...DATE, ...CLOCK, fractionalSecondDigits: 3});
    const day = `${p.get('year')}-${p.get('month')}-${p.get('day')}`;
    const time = `${p.get('hour')}:${p.get('minute')}:${p.get('second')}`;
    return `${day} ${time}` + (millis ? `.${p.get('fractionalSecond')}` : '');
}

export function clockTime(ms, seconds = true) {
    return absolute(ms).slice(11, seconds ? 19 : 16);
}

/** "UTC+8" at that time; that of now for what is no time. */
export function offset(ms) {
    const name = pieces(isTime(ms) ? ms : now(), {timeZoneName: 'shortOffset'}).get('timeZoneName') ?? '';
    return name.replace('GMT', 'UTC');
}

export function iso(ms) {
    return isTime(ms) ? new Date(ms).toISOString() : '';
}

/** The milliseconds that `wall` has in the page's zone; wall is the value of an input: "2026-11-22T14:03". */
export function fromWall(wall) {
    const asUtc = Date.parse(wall + 'Z');
    if (!Number.isFinite(asUtc)) {
        return NaN;
    }
    // The offset is that of the result: a second step corrects the day on which it changes.
    const first = asUtc - offsetAt(asUtc);
    return asUtc - offsetAt(first);
}

/** The value of an input; empty for what is no time. */
export function toWall(ms) {
    return iso(ms) === '' ? '' : absolute(ms).replace(' ', 'T');
}

function offsetAt(ms) {
    const whole = Math.floor(ms / SECOND) * SECOND;
    return Date.parse(absolute(whole).replace(' ', 'T') + 'Z') - whole;
}

const UNITS = new Map([['ms', 1], ['s', SECOND], ['m', MINUTE], ['h', HOUR], ['d', DAY]]);

/** Milliseconds of "90000", "500ms" or "1h30m", as the server reads them; NaN if it is none. */
export function parseDuration(text) {
    const trimmed = text.trim();
    if (/^\d+$/.test(trimmed)) {
        return Number(trimmed);
    }
    if (!/^(\d+(ms|s|m|h|d))+$/.test(trimmed)) {
        return NaN;
    }
    return [...trimmed.matchAll(/(\d+)(ms|s|m|h|d)/g)].reduce((sum, [, n, unit]) => sum + n * UNITS.get(unit), 0);
}

/** "90m": milliseconds in the largest unit that leaves no rest, as the server reads them. */
export function writeDuration(ms) {
    const [unit, size] = [...UNITS].findLast(each => ms % each[1] === 0);
    return ms / size + unit;
}

// Characters that are not seen or that change the order of others are shown by their code.
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/gu;

export function visible(text) {
    return String(text).replace(UNSEEN, char => '\\u' + char.codePointAt(0).toString(16).padStart(4, '0'));
}

/** The same for a single line. */
export function visibleLine(text) {
    return visible(text).replace(/[\t\r\n]/g, char => ({'\t': '\\t', '\r': '\\r', '\n': '\\n'})[char]);
}
