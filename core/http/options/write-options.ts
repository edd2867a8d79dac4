import {isUtf8} from 'node:buffer';
import {badRequest, FieldPath, invalidObject, notSupported} from '../../../sdk/index.js';
import {fittingManager, validateFieldManager} from '../../api/metadata/managed-fields-entries.js';
import type {FieldValidation, WriteContext} from '../../registry/request-context.js';
import type {AuthenticatedExchange} from '../request/stages.js';

const levels: readonly FieldValidation[] = ['Ignore', 'Warn', 'Strict'];

/** The name of a write's options in error messages: `CreateOptions`, `UpdateOptions`, `PatchOptions`, `DeleteOptions`. */
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/**
 * Reads `dryRun`, `fieldManager` and `fieldValidation` of a write (docs/semantics/writes.md#parameters).
 *
 * @throws 400 for a dry run other than `All`, 422 for other values that are not allowed
 */
export function writeContext(exchange: AuthenticatedExchange, kind: OptionsKind, settings: {fieldValidation: boolean}): WriteContext {
  const {query} = exchange;
  const dryRun = parseDryRun(query);
  // A deletion writes no fields.
  const parameter = (name: string) => (kind === 'DeleteOptions' ? '' : (query.get(name) ?? ''));
  const fieldManager = parameter('fieldManager');
  const faults = validateFieldManager(fieldManager, FieldPath.of('fieldManager'));
  const level = parameter('fieldValidation');
  if (level !== '' && !levels.includes(level as FieldValidation)) faults.push(notSupported(FieldPath.of('fieldValidation'), level, levels));
  if (faults.length > 0) throw invalidObject({group: '', kind}, '', faults);
  const validation: FieldValidation = settings.fieldValidation ? ((level || 'Warn') as FieldValidation) : 'Ignore';
  return {
    user: exchange.user,
    verb: exchange.info.verb,
    query,
    dryRun,
    fieldManager: fieldManager || managerFromUserAgent(exchange.header('user-agent')),
    fieldValidation: validation,
    given: {...(fieldManager ? {fieldManager} : {}), ...(level ? {fieldValidation: level} : {})},
    warn: (text) => exchange.warn(text),
    annotate: (key, value, level) => exchange.annotate(key, value, level),
    task: exchange.task,
    cancellation: () => exchange.signal,
  };
}

/** @throws 400 for another value than `All` */
function parseDryRun(query: URLSearchParams): boolean {
  const values = query.getAll('dryRun').filter((value) => value !== '');
  for (const value of values)
    if (value !== 'All') throw badRequest(`parameter dryRun must be "All" or empty, not ${JSON.stringify(value)}`);
  return values.length > 0;
}

/**
 * The part of the user agent before the first slash, as in Kubernetes: only printable characters, up to the maximum length of a manager.
 */
function managerFromUserAgent(userAgent = ''): string {
  // Headers come as bytes; clients mean UTF-8.
  const bytes = Buffer.from(userAgent, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : userAgent;
  return fittingManager(text.split('/', 1)[0]!) || 'unknown';
}
