import {readFileSync, statSync} from 'node:fs';
import type {NamingProfile} from '../../../sdk/index.js';

/** A policy in the latest version. An empty string matches nothing; `*` matches everything. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const maximumBytes = 16 * 1024 * 1024;
const texts = ['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath'] as const;
/** Policies without a version have neither API groups nor paths. */
const textsBefore = ['user', 'group', 'resource', 'namespace'] as const;
const everybodyKnown = 'system:authenticated';

/**
 * Reads the policies of attribute-based access control, one JSON object per line; empty lines and lines that start with `#` are skipped.
 *
 * @throws Error with a one-sentence message that names the file and line. Unknown members are errors too, because a policy without one of
 * its conditions allows more than intended
 */
export function readPolicies(file: string, naming: NamingProfile): AbacPolicy[] {
  let text: string;
  try {
    const {size} = statSync(file);
    if (size > maximumBytes) throw new Error(`it has ${size} bytes, more than ${maximumBytes}`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--authorization-policy-file: ${file} cannot be read: ${(error as Error).message}`, {cause: error});
  }
  // Unlike API groups, it has the suffix of reserved keys.
  const apiVersion = `abac.authorization.${naming.key('orch/v1beta1')}`;
  return text.split('\n').flatMap((line, index) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    try {
      return [readPolicy(JSON.parse(trimmed), apiVersion)];
    } catch (error) {
      throw new Error(`--authorization-policy-file: ${file}, line ${index + 1}: ${(error as Error).message}`, {cause: error});
    }
  });
}

function readPolicy(value: unknown, apiVersion: string): AbacPolicy {
  const policy = objectOf(value, 'the policy');
  if (policy['apiVersion'] === undefined && policy['kind'] === undefined) return readUnversioned(policy);
  if (policy['apiVersion'] !== apiVersion || policy['kind'] !== 'Policy') {
    throw new Error(`a policy is of the kind Policy in ${apiVersion}, or has neither kind nor apiVersion`);
  }
  refuseOthers(policy, ['apiVersion', 'kind', 'spec'], '');
  const spec = objectOf(policy['spec'] ?? {}, 'spec');
  refuseOthers(spec, [...texts, 'readonly'], 'spec.');
  return knownOnly({
    ...(Object.fromEntries(texts.map((name) => [name, textOf(spec, name)])) as Omit<AbacPolicy, 'readonly'>),
    readonly: flagOf(spec),
  });
}

/** In this version, what is left out matches everything, or all authenticated users. */
function readUnversioned(policy: Record<string, unknown>): AbacPolicy {
  refuseOthers(policy, [...textsBefore, 'readonly'], '');
  const [user, group, resource, namespace] = textsBefore.map((name) => textOf(policy, name)) as [string, string, string, string];
  return knownOnly({
    user,
    group: user === '' && group === '' ? everybodyKnown : group,
    readonly: flagOf(policy),
    apiGroup: '*',
    resource: resource || '*',
    namespace: namespace || '*',
    nonResourcePath: resource === '' && namespace === '' ? '*' : '',
  });
}

/** `*` means all authenticated users; anonymous ones must be named. */
function knownOnly(policy: AbacPolicy): AbacPolicy {
  return policy.user === '*' || policy.group === '*'
    ? {...policy, user: policy.user === '*' ? '' : policy.user, group: everybodyKnown}
    : policy;
}

function objectOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} must be an object`);
  return value as Record<string, unknown>;
}

function refuseOthers(value: object, known: readonly string[], path: string): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`${path}${other.slice(0, 100)} is not known; there are ${known.join(', ')}`);
}

function textOf(value: Record<string, unknown>, name: string): string {
  const text = value[name] ?? '';
  if (typeof text !== 'string') throw new Error(`${name} must be a string`);
  return text;
}

function flagOf(value: Record<string, unknown>): boolean {
  const flag = value['readonly'] ?? false;
  if (typeof flag !== 'boolean') throw new Error('readonly must be true or false');
  return flag;
}
