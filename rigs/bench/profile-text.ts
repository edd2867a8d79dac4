import type {FunctionShare, ServerProfile} from './server-profile.js';
import {tableText} from './table-text.js';

/** The dearest of them are shown. */
const shownFiles = 30;
const shownFunctions = 50;

/** A profile as text: what takes time and what allocates, by file and by function. */
export function profileText({operations, time, allocation}: ServerProfile): string {
  return [
    ...part(`µs of the main thread for each of ${operations.time} operations`, time, operations.time),
    ...part(`bytes allocated in the heap for each of ${operations.allocation} operations`, allocation, operations.allocation),
  ].join('\n\n');
}

function part(title: string, shares: readonly FunctionShare[], operations: number): string[] {
  const all = shares.reduce((sum, {own}) => sum + own, 0);
  const files = byFile(shares);
  const row = (name: string, own: number) => [name, (own / operations).toFixed(1), `${((own / all) * 100).toFixed(1)} %`];
  return [
    tableText([[title, '', ''], row('in all', all), ...files.slice(0, shownFiles).map(([file, own]) => row(file, own))]),
    tableText(shares.slice(0, shownFunctions).map(({name, file, line, own}) => row(`${name}  ${file}${line > 0 ? `:${line}` : ''}`, own))),
  ];
}

/** The dearest first. */
export function byFile(shares: readonly FunctionShare[]): [file: string, own: number][] {
  const files = new Map<string, number>();
  for (const {file, own} of shares) files.set(file, (files.get(file) ?? 0) + own);
  return [...files].toSorted(([, a], [, b]) => b - a);
}
