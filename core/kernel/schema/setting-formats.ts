import type {Format} from 'ajv';
import {durationMillis} from '../../../sdk/values/duration.js';
import {nearestName} from '../nearest-name.js';

const label = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const hostname = new RegExp(`^${label}(?:\\.${label})*$`, 'i');

/** The string formats that schemas of settings may use, with their rules. */
export const settingFormats: Readonly<Record<string, Format>> = {
  path: true,
  date: (text: string) => isDate(text),
  'date-time': /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/,
  duration: (text: string) => durationMillis(text) !== undefined,
  email: /^[^\s@]+@[^\s@]+$/,
  hostname: (text: string) => text.length <= 253 && hostname.test(text),
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/,
  ipv6: (text: string) => text.includes(':') && URL.canParse(`ftp://[${text}]/`),
  regex: (text: string) => isExpression(text),
  uri: (text: string) => URL.canParse(text),
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};

/** Faults of the formats that a schema names, wherever in it. */
export function formatFaults(schema: unknown, path = ''): {readonly path: string; readonly text: string}[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((each, index) => formatFaults(each, `${path}[${index}]`));
  const {format, default: _default, enum: _enum, const: _const, examples: _examples, ...rest} = schema as Readonly<Record<string, unknown>>;
  const faults = typeof format === 'string' && !Object.hasOwn(settingFormats, format) ? [{path, text: unknownFormat(format)}] : [];
  return [...faults, ...Object.entries(rest).flatMap(([member, value]) => formatFaults(value, path === '' ? member : `${path}.${member}`))];
}

function unknownFormat(format: string): string {
  const meant = nearestName(format, Object.keys(settingFormats));
  return `there is no format ${format}; ${meant === undefined ? `there are ${Object.keys(settingFormats).join(', ')}` : `did you mean ${meant}?`}`;
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text);
}

function isExpression(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
