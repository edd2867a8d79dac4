import {
  FieldPath,
  inject,
  invalid,
  strategy,
  Tokens,
  tooLong,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {Secret} from '../../../sdk/types/unchecked/core/v1.js';
import {dataKeyFaults, decodedBytes, immutabilityFaults, maximumDataBytes} from './data-keys.js';
import {SecretTypeRules} from './secret-type-rules.js';

const dataPath = FieldPath.of('data');
const defaultType = 'Opaque';

/** Secret: bytes under keys that resemble file names, up to 1 MiB in total. Its type is immutable and may require certain keys. */
@strategy()
export class SecretStrategy implements ResourceStrategy<Secret> {
  readonly #typeRules: SecretTypeRules;
  /** The type of secrets with a certificate and its key; undefined where the release does not look at them. */
  readonly #pairType: string | undefined;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#typeRules = new SecretTypeRules(naming);
    this.#pairType = gates.enabled('KeyPairWarnings') ? naming.key('orch/tls') : undefined;
  }

  prepareForCreate(object: Secret, context: StrategyContext): void | Promise<void> {
    return object.type === this.#pairType ? warnOfPair(object, context) : undefined;
  }

  prepareForUpdate(object: Secret, _old: Secret, context: StrategyContext): void | Promise<void> {
    return this.prepareForCreate(object, context);
  }

  applyDefaults(object: Secret): void {
    mergeStringData(object);
    if (object.type === undefined || object.type === '') object.type = defaultType;
  }

  validateCreate(object: Secret): FieldError[] {
    const data = object.data ?? {};
    const faults = dataKeyFaults(Object.keys(data), dataPath);
    let bytes = 0;
    for (const base64 of Object.values(data)) bytes += decodedBytes(base64);
    if (bytes > maximumDataBytes) faults.push(tooLong(dataPath, maximumDataBytes));
    faults.push(...this.#typeRules.check(object));
    return faults;
  }

  validateUpdate(object: Secret, old: Secret): FieldError[] {
    const faults = object.type === old.type ? [] : [invalid(FieldPath.of('type'), object.type, 'field is immutable')];
    return [...faults, ...immutabilityFaults(object, old, ['data']), ...this.validateCreate(object)];
  }

  tableCells(object: Secret): Record<string, string | number> {
    return {Data: Object.keys(object.data ?? {}).length};
  }
}

/** Warns of a certificate and a key that do not belong together. Keys are read by code that few servers need. */
async function warnOfPair({data = {}}: Secret, {warn}: StrategyContext): Promise<void> {
  const {keyPairFault} = await import('./key-pair-faults.js');
  const textOf = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString('latin1');
  const fault = keyPairFault(textOf('tls.crt'), textOf('tls.key'));
  if (fault !== undefined) warn(fault);
}

/** Entries of `stringData` replace those of `data`; `stringData` is then removed. */
function mergeStringData(object: Secret): void {
  const {stringData} = object;
  if (stringData === undefined) return;
  delete object.stringData;
  if (stringData === null || Object.keys(stringData).length === 0) return;
  const entries = new Map(Object.entries(object.data ?? {}));
  for (const [key, text] of Object.entries(stringData)) entries.set(key, Buffer.from(text, 'utf8').toString('base64'));
  // Unlike an assignment, this creates an ordinary member for the key `__proto__`.
  object.data = Object.fromEntries(entries);
}
