import {
  duplicate,
  FieldPath,
  fieldErrorText,
  tooMany,
  type Expressions,
  type FieldError,
  type JsonValue,
  type NamingProfile,
  type Schemas,
} from '../../../sdk/index.js';
import type {AuthenticationConfiguration, JwtFields} from './configuration-fields.js';
import {configurationSchema, unknownMembers, userSchema} from './configuration-schema.js';
import {JwtEntry} from './jwt-entry.js';
import type {JwtSettings} from './jwt-settings.js';

/** Kubernetes' limit. */
const mostIssuers = 64;
const versions = ['v1', 'v1beta1', 'v1alpha1'];

/** What it takes to understand a configuration. */
export interface ConfigurationTools {
  readonly naming: NamingProfile;
  readonly schemas: Schemas;
  readonly expressions: Expressions;
  readonly keyRefreshMillis: number;
}

/**
 * Understands an `AuthenticationConfiguration` as Kubernetes 1.29 to 1.33 have it, except for `anonymous`.
 *
 * @throws Error with all that is wrong with it
 */
export async function readConfiguration(value: JsonValue, tools: ConfigurationTools): Promise<JwtSettings[]> {
  const {naming, schemas, expressions} = tools;
  throwIfAny([
    ...typeFaults(value, naming),
    ...unknownMembers(configurationSchema, value).map((place) => `${place}: ${unknownText(place)}`),
    ...schemas.valueFaults({...configurationSchema}, withoutNulls(value), FieldPath.root, true).map(fieldErrorText),
  ]);
  const entries = (withoutNulls(value) as AuthenticationConfiguration).jwt ?? [];
  const path = FieldPath.of('jwt');
  throwIfAny(entries.length > mostIssuers ? [fieldErrorText(tooMany(path, entries.length, mostIssuers))] : []);
  if (entries.length === 0) return [];
  const scopes = {claims: await expressions.scope({claims: undefined}), user: await expressions.scope({user: {...userSchema}})};
  const faults = sameTwice(entries, path);
  const settings = entries.map((fields, index) => {
    const entry = new JwtEntry(scopes, naming);
    const read = entry.read(fields, path.index(index), tools.keyRefreshMillis);
    faults.push(...entry.faults);
    return read;
  });
  throwIfAny(faults.map(fieldErrorText));
  return settings;
}

function typeFaults(value: JsonValue, naming: NamingProfile): string[] {
  const {apiVersion, kind} = (value ?? {}) as AuthenticationConfiguration;
  const allowed = versions.map((version) => `${naming.group('apiserver.config.orch')}/${version}`);
  return [
    ...(apiVersion !== undefined && allowed.includes(apiVersion) ? [] : [`apiVersion: must be one of ${allowed.join(', ')}`]),
    ...(kind === 'AuthenticationConfiguration' ? [] : ['kind: must be AuthenticationConfiguration']),
  ];
}

function unknownText(place: string): string {
  if (place === 'anonymous') return 'is not supported: --anonymous-auth says whether there are anonymous requests';
  if (place.endsWith('.egressSelectorType')) return 'is not supported: issuers are called directly';
  return 'is not known';
}

function sameTwice(entries: readonly JwtFields[], path: FieldPath): FieldError[] {
  return (['url', 'discoveryURL'] as const).flatMap((member) => {
    const earlier = new Set<string>();
    return entries.flatMap(({issuer}, index) => {
      const text = issuer?.[member] ?? '';
      const isKnown = earlier.has(text);
      if (text !== '') earlier.add(text);
      return isKnown ? [duplicate(path.index(index).child('issuer', member), text)] : [];
    });
  });
}

/** A member that is null counts as not set. */
function withoutNulls(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value, (_name, member: unknown) => (member === null ? undefined : member)) ?? 'null') as JsonValue;
}

function throwIfAny(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.slice(0, 20).join('; '));
}
