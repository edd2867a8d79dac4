import {isUtf8} from 'node:buffer';
import {FieldPath, notSupported, type FieldError} from '../../../sdk/index.js';
import {fittingManager, validateFieldManager} from '../../api/metadata/managed-fields-entries.js';
import type {ServedVersion} from '../../registry/served-version.js';
import type {FieldValidation, WriteContext} from '../../registry/request-context.js';
import {dryRunFaults, invalidOptions} from '../../registry/write/invalid-options.js';
import type {AuthenticatedExchange} from '../request/stages.js';

const managerPath = FieldPath.of('fieldManager');
const nothingGiven = {};
const ascii = /^[\x20-\x7e]*$/;
const levels: readonly FieldValidation[] = ['Ignore', 'Strict', 'Warn'];

/** The name of a write's options in error messages: `CreateOptions`, `UpdateOptions`, `PatchOptions`, `DeleteOptions`. */
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/**
 * Reads `dryRun`, `fieldManager` and `fieldValidation` of a write (docs/semantics/writes.md#parameters).
 *
 * @param found faults of other options
 * @throws 422 for values that are not allowed
 */
export function writeContext(
  exchange: AuthenticatedExchange,
  kind: OptionsKind,
  {fieldValidation}: {readonly fieldValidation: boolean},
  {optionsVersion, version}: Pick<ServedVersion, 'optionsVersion' | 'version'>,
  found: readonly FieldError[] = [],
): WriteContext {
  const {query} = exchange;
  // A deletion writes no fields.
  const parameter = (name: string) => (kind === 'DeleteOptions' ? '' : (query.get(name) ?? ''));
  const fieldManager = parameter('fieldManager');
  // A deletion may have its options in the body.
  const dryRun = kind === 'DeleteOptions' || query.size === 0 ? [] : query.getAll('dryRun').filter((value) => value !== '');
  const faults = [...found, ...validateFieldManager(fieldManager, managerPath), ...dryRunFaults(dryRun)];
  const level = parameter('fieldValidation');
  if (level !== '' && !levels.includes(level as FieldValidation))
    faults.push(notSupported(FieldPath.of('fieldValidation'), level, ['', ...levels]));
  if (faults.length > 0)
    throw invalidOptions(optionsVersion, kind, faults.map(version.schema.node.behaviour.wordsOfFault ?? ((fault) => fault)));
  const validation: FieldValidation = fieldValidation ? ((level || 'Warn') as FieldValidation) : 'Ignore';
  return {
    user: exchange.user,
    verb: exchange.info.verb,
    query,
    dryRun: dryRun.length > 0,
    fieldManager: fieldManager || managerFromUserAgent(exchange.header('user-agent')),
    fieldValidation: validation,
    given: fieldManager || level ? {...(fieldManager && {fieldManager}), ...(level && {fieldValidation: level})} : nothingGiven,
    warn: (text) => exchange.warn(text),
    annotate: (key, value, level) => exchange.annotate(key, value, level),
    noteVerdict: exchange.notes?.addVerdict,
    task: exchange.task,
    cancellation: () => exchange.signal,
  };
}

/**
 * The part of the user agent before the first slash, as in Kubernetes: only printable characters, up to the maximum length of a manager.
 */
function managerFromUserAgent(userAgent = ''): string {
  const slash = userAgent.indexOf('/');
  const bytes = slash < 0 ? userAgent : userAgent.slice(0, slash);
  return fittingManager(ascii.test(bytes) ? bytes : decoded(bytes)) || 'unknown';
}

/** Headers come as bytes; clients mean UTF-8. */
function decoded(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}
