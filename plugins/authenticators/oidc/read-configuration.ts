import {
  duplicate,
  FieldPath,
  fieldErrorText,
  forbiddenField,
  invalid,
  tooMany,
  type Expressions,
  type FeatureGates,
  type FieldError,
  type JsonValue,
  type NamingProfile,
} from '../../../sdk/index.js';
import type {AnonymousFields, AuthenticationConfiguration, JwtFields} from '../../families/authentication/configuration-fields.js';
import {userSchema} from '../../families/authentication/configuration-kind.js';
import {authenticationConfiguration} from '../../families/authentication/read-authentication-file.js';
import {JwtEntry} from './jwt-entry.js';
import type {JwtSettings} from './jwt-settings.js';

/** Kubernetes' limit. */
const mostIssuers = 64;

/** What it takes to understand a configuration. */
export interface ConfigurationTools {
  readonly naming: NamingProfile;
  readonly expressions: Expressions;
  readonly gates: Pick<FeatureGates, 'enabled'>;
  /** Of Kubernetes. */
  readonly release: string;
  /** Issuers of service account tokens. */
  readonly accountIssuers: readonly string[];
  readonly keyRefreshMillis: number;
}

/** A configuration that can be used. */
export interface ReadConfiguration {
  readonly jwt: readonly JwtSettings[];
  /** Undefined where the file leaves it to `--anonymous-auth`. */
  readonly anonymous: AnonymousFields | undefined;
}

/**
 * Understands an `AuthenticationConfiguration`.
 *
 * @throws Error with all that is wrong with it, in Kubernetes' words
 */
export async function readConfiguration(value: JsonValue, tools: ConfigurationTools): Promise<ReadConfiguration> {
  return understandConfiguration(authenticationConfiguration(value, tools.naming, tools.release), tools);
}

/** Likewise, of one whose structure is known to be right. */
export async function understandConfiguration(
  {jwt: entries = [], anonymous}: AuthenticationConfiguration,
  tools: ConfigurationTools,
): Promise<ReadConfiguration> {
  const {naming, expressions, gates} = tools;
  const path = FieldPath.of('jwt');
  if (entries.length > mostIssuers) throwIfAny([tooMany(path, entries.length, mostIssuers)]);
  const faults: FieldError[] = [];
  const jwt: JwtSettings[] = [];
  if (entries.length > 0) {
    const scopes = {claims: await expressions.scope({claims: undefined}), user: await expressions.scope({user: {...userSchema}})};
    for (const [index, fields] of entries.entries()) {
      const entry = new JwtEntry(scopes, naming, {accountIssuers: tools.accountIssuers, gates});
      jwt.push(entry.read(fields, path.index(index), tools.keyRefreshMillis));
      faults.push(...entry.faults, ...sameAsEarlier(entries, index, path.index(index)));
    }
  }
  throwIfAny([...faults, ...anonymousFaults(anonymous, gates)]);
  return {jwt, anonymous};
}

function anonymousFaults(anonymous: AnonymousFields | undefined, gates: ConfigurationTools['gates']): FieldError[] {
  if (!anonymous) return [];
  const {enabled = false, conditions = []} = anonymous;
  const path = FieldPath.of('anonymous');
  const gate = 'AnonymousAuthConfigurableEndpoints';
  return [
    ...(gates.enabled(gate) ? [] : [forbiddenField(path, `anonymous is not supported when ${gate} feature gate is disabled`)]),
    ...(!enabled && conditions.length > 0
      ? [
          invalid(
            path.child('conditions'),
            conditions.map(({path: only = ''}) => ({Path: only})),
            'enabled should be set to true when conditions are defined',
          ),
        ]
      : []),
  ];
}

function sameAsEarlier(entries: readonly JwtFields[], index: number, path: FieldPath): FieldError[] {
  return (['url', 'discoveryURL'] as const).flatMap((member) => {
    const text = entries[index]!.issuer?.[member] ?? '';
    const isKnown = entries.slice(0, index).some(({issuer}) => (issuer?.[member] ?? '') === text);
    // An address that is missing is missing in each entry.
    return isKnown && (text !== '' || member === 'url') ? [duplicate(path.child('issuer', member), text)] : [];
  });
}

/** As Kubernetes lists errors: a single one alone, several in brackets, none twice. */
function throwIfAny(faults: readonly FieldError[]): void {
  const texts = [...new Set(faults.map(fieldErrorText))];
  if (texts.length > 0)
    throw new Error(`invalid authentication configuration: ${texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`}`);
}
