import {durationProblem} from '../../../../sdk/values/duration.js';
import type {SchemaNode} from '../schema-node.js';

/** Why a text has not the form that it should have, in the words of Go's parsers, by which clients recognise it. */
export function textProblem(form: NonNullable<SchemaNode['form']>, text: string): string {
  switch (form) {
    case 'bytes':
      return `illegal base64 data at input byte ${badBase64At(Buffer.from(text))}`;
    case 'time':
      return timeProblem(text, '2006-01-02T15:04:05Z07:00');
    case 'micro-time':
      return timeProblem(text, '2006-01-02T15:04:05.000000Z07:00');
    case 'duration':
      return durationProblem(text);
    case 'quantity':
      return quantityProblem(text);
  }
}

const quantityPattern = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function quantityProblem(text: string): string {
  const [, number, suffix] = /^([+-]?\d*\.?\d*)([eEinumkKMGTP]*[-+]?\d*)$/.exec(text.trim()) ?? [];
  if (number === undefined || text.trim() === '') return quantityPattern;
  return suffix === '' ? 'unable to parse numeric part of quantity' : "unable to parse quantity's suffix";
}

const lineEnd = new Set(['\r'.charCodeAt(0), '\n'.charCodeAt(0)]);
const padding = '='.charCodeAt(0);

/** The offset of the byte at which Go's decoder gives up; of a text that is cut off, that of its last group. */
function badBase64At(bytes: Buffer): number {
  let at = 0;
  const skipLineEnds = () => {
    while (lineEnd.has(bytes[at]!)) at++;
  };
  for (;;) {
    for (let inGroup = 0; inGroup < 4; inGroup++) {
      skipLineEnds();
      if (at === bytes.length) return at - inGroup;
      const byte = bytes[at++]!;
      if (/[A-Za-z0-9+/]/.test(String.fromCharCode(byte))) continue;
      if (byte !== padding || inGroup < 2) return at - 1;
      skipLineEnds();
      if (inGroup === 2) {
        if (at === bytes.length) return at;
        if (bytes[at++] !== padding) return at - 2;
        skipLineEnds();
      }
      return at;
    }
  }
}

/** The parts of a time, as its layout has them, with what each may be at most. */
const timeParts: readonly (readonly [part: string, pattern: RegExp, highest?: readonly [number, string]])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/, [12, 'month']],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d\d/, [23, 'hour']],
  [':', /^:/],
  ['04', /^\d\d/, [59, 'minute']],
  [':', /^:/],
  ['05', /^\d\d/, [59, 'second']],
];

function timeProblem(text: string, layout: string): string {
  const shown = JSON.stringify(text);
  let rest = text;
  const unparsed = (part: string) =>
    `parsing time ${shown} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part)}`;
  for (const [part, pattern, range] of timeParts) {
    const [found] = pattern.exec(rest) ?? [];
    if (found === undefined) return unparsed(part);
    if (range && (Number(found) > range[0] || (part === '01' && Number(found) === 0)))
      return `parsing time ${shown}: ${range[1]} out of range`;
    rest = rest.slice(found.length);
  }
  const isExact = layout.includes('.000000');
  const [fraction] = (isExact ? /^[.,]\d{6}(?!\d)/ : /^[.,]\d+/).exec(rest) ?? [];
  if (fraction === undefined && isExact) return unparsed('.000000');
  rest = rest.slice(fraction?.length ?? 0);
  const [zone] = /^(?:Z|[+-]\d\d:\d\d)/.exec(rest) ?? [];
  if (zone === undefined) return unparsed('Z07:00');
  rest = rest.slice(zone.length);
  return rest === '' ? `parsing time ${shown}: day out of range` : `parsing time ${shown}: extra text: ${JSON.stringify(rest)}`;
}
