import {isUtf8} from 'node:buffer';
import {FieldPath, invalidObject, notSupported, type NamingProfile} from '../../../sdk/index.js';
import {fittingManager, validateFieldManager} from '../../api/metadata/managed-fields-entries.js';
import type {FieldValidation, WriteContext} from '../../registry/request-context.js';
import type {AuthenticatedExchange} from '../request/stages.js';

const levels: readonly FieldValidation[] = ['Ignore', 'Warn', 'Strict'];
/** What messages list: those, and none. */
const allowedLevels = ['', ...levels];

/** What the server makes of options. */
export interface WriteSettings {
  /** Whether `fieldValidation` has an effect. */
  readonly fieldValidation: boolean;
  readonly naming: NamingProfile;
}

/** The name of a write's options in error messages: `CreateOptions`, `UpdateOptions`, `PatchOptions`, `DeleteOptions`. */
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/**
 * Reads `dryRun`, `fieldManager` and `fieldValidation` of a write (docs/semantics/writes.md#parameters).
 *
 * @throws 422 for values that are not allowed
 */
export function writeContext(exchange: AuthenticatedExchange, kind: OptionsKind, settings: WriteSettings): WriteContext {
  const {query} = exchange;
  // A deletion writes no fields.
  const parameter = (name: string) => (kind === 'DeleteOptions' ? '' : (query.get(name) ?? ''));
  const fieldManager = parameter('fieldManager');
  const faults = validateFieldManager(fieldManager, FieldPath.of('fieldManager'));
  const dryRuns = query.getAll('dryRun').filter((value) => value !== '');
  if (dryRuns.some((value) => value !== 'All')) faults.push(notSupported(FieldPath.of('dryRun'), dryRuns, ['All']));
  const level = parameter('fieldValidation');
  if (level !== '' && !levels.includes(level as FieldValidation))
    faults.push(notSupported(FieldPath.of('fieldValidation'), level, allowedLevels));
  if (faults.length > 0) throw invalidObject({group: settings.naming.group('meta.orch'), kind}, '', faults);
  const validation: FieldValidation = settings.fieldValidation ? ((level || 'Warn') as FieldValidation) : 'Ignore';
  return {
    user: exchange.user,
    verb: exchange.info.verb,
    query,
    dryRun: dryRuns.length > 0,
    fieldManager: fieldManager || managerFromUserAgent(exchange.header('user-agent')),
    fieldValidation: validation,
    given: {...(fieldManager ? {fieldManager} : {}), ...(level ? {fieldValidation: level} : {})},
    warn: (text) => exchange.warn(text),
    annotate: (key, value, level) => exchange.annotate(key, value, level),
    task: exchange.task,
    cancellation: () => exchange.signal,
  };
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
