import {
  dnsSubdomainFaults,
  duplicate,
  FieldPath,
  fieldErrorText,
  invalid,
  notSupported,
  required,
  type AuthorizerFactory,
  type FieldError,
} from '../../../sdk/index.js';
import {repeatableType, type AuthorizerEntry} from './authorizer-entries.js';

/** What entries are held against. */
export interface KnownAuthorizers {
  /** Types that some plugin provides. */
  readonly types: ReadonlySet<string>;
  /** Those that every later configuration must name too: what makes them is started with the server. */
  readonly requiredTypes: ReadonlySet<string>;
  readonly factory: AuthorizerFactory | undefined;
}

/** @throws Error with all that is wrong with the entries, in Kubernetes' words */
export async function requireValidEntries(entries: readonly AuthorizerEntry[], known: KnownAuthorizers): Promise<void> {
  const path = FieldPath.of('authorizers');
  const faults = entries.length === 0 ? [required(path, 'at least one authorization mode must be defined')] : [];
  const [types, names] = [new Set<string>(), new Set<string>()];
  for (const [index, entry] of entries.entries()) faults.push(...(await entryFaults(entry, path.index(index), {known, types, names})));
  throwIfAny(faults.map(fieldErrorText));
  throwIfAny([...nameFaults(entries), ...missingFaults(entries, known)]);
}

interface Earlier {
  readonly known: KnownAuthorizers;
  readonly types: Set<string>;
  readonly names: Set<string>;
}

async function entryFaults(
  {type = '', name = '', webhook}: AuthorizerEntry,
  path: FieldPath,
  {known, types, names}: Earlier,
): Promise<FieldError[]> {
  if (type === '') return [required(path.child('type'))];
  if (!known.types.has(type)) return [notSupported(path.child('type'), type, [...known.types])];
  if (types.has(type) && type !== repeatableType) return [duplicate(path.child('type'), type)];
  types.add(type);
  const faults: FieldError[] = [];
  if (name === '') faults.push(required(path.child('name')));
  else if (names.has(name)) faults.push(duplicate(path.child('name'), name));
  else {
    const details = dnsSubdomainFaults(name);
    if (details.length > 0) faults.push(invalid(path.child('name'), name, `authorizer name is invalid: ${details.join(', ')}`));
  }
  names.add(name);
  if (type !== repeatableType)
    return webhook ? [...faults, invalid(path.child('webhook'), 'non-null', 'may only be specified when type=Webhook')] : faults;
  if (!webhook) return [...faults, required(path.child('webhook'), 'required when type=Webhook')];
  return [...faults, ...((await known.factory?.faults(webhook, path)) ?? [])];
}

function nameFaults(entries: readonly AuthorizerEntry[]): string[] {
  return entries.flatMap(({type = '', name = ''}) => {
    const expected = type.toLowerCase();
    return type === repeatableType || name === expected ? [] : [`expected name ${expected} for authorizer ${type} instead of ${name}`];
  });
}

function missingFaults(entries: readonly AuthorizerEntry[], {requiredTypes}: KnownAuthorizers): string[] {
  const named = new Set(entries.map(({type}) => type));
  const missing = [...requiredTypes].filter((type) => !named.has(type)).sort();
  return missing.length > 0 ? [`missing required types: [${missing.join(' ')}]`] : [];
}

/** As Kubernetes lists errors: a single one alone, several in brackets, none twice. */
function throwIfAny(faults: readonly string[]): void {
  const texts = [...new Set(faults)];
  if (texts.length > 0) throw new Error(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
}
