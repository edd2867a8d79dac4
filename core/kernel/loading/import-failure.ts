import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';
import {errorDetail} from '../error-detail.js';
import {KernelError, problem, type ProblemPlace} from '../kernel-error.js';
import {packageRoot} from '../package-root.js';
import {syntaxPlace} from './syntax-place.js';

/**
 * The error for a module that could not be imported, with the line at which its code cannot be read, or is when it fails.
 *
 * @param entry how the plugin calls the module
 */
export function importFailure(cause: unknown, entry: string, place: ProblemPlace & {readonly file: string}): KernelError {
  const syntax = syntaxPlace(cause, place.file);
  const at = syntax ? `${syntax.file}:${syntax.line}` : frameOf(cause, dirname(place.file));
  const text = syntax?.text ? `: ${syntax.text}` : '';
  const detail = `${errorDetail(cause)}${at === undefined ? '' : ` at ${at}${text}`}`;
  return new KernelError([problem('IMPORT_FAILED', {entry, detail}, {...place, cause})]);
}

/** The innermost line of a stack that is neither of Node.js, nor of this program, nor of a package. */
function frameOf(cause: unknown, folder: string): string | undefined {
  const lines = cause instanceof Error ? (cause.stack ?? '').split('\n') : [];
  for (const line of lines) {
    const [, location] = /^\s+at (?:.*[\s(])?((?:file:\/\/)?\/[^()]+:\d+:\d+)\)?$/.exec(line) ?? [];
    if (location === undefined) continue;
    const position = /:\d+:\d+$/.exec(location)![0];
    const address = location.slice(0, -position.length);
    const file = address.startsWith('file:') ? fileURLToPath(address) : address;
    const isOwn = file.startsWith(folder);
    if (isOwn || !(file.startsWith(packageRoot) || file.includes('/node_modules/'))) return `${file}${position}`;
  }
  return undefined;
}
