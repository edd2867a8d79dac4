import {FieldPath, invalid, required, type FieldError, type NamingProfile} from '../../../sdk/index.js';
import type {Secret} from '../../../sdk/types/unchecked/core/v1.js';

const dataPath = FieldPath.of('data');

type Rule = (object: Secret) => FieldError[];

/** What secrets of the well-known types must contain. Other types are defined by users and may contain anything. */
export class SecretTypeRules {
  readonly #rules: ReadonlyMap<string, Rule>;

  constructor(naming: NamingProfile) {
    const account = naming.key('orch/service-account.name');
    this.#rules = new Map<string, Rule>([
      [naming.key('orch/service-account-token'), (object) => serviceAccountToken(object, account)],
      [naming.key('orch/dockercfg'), (object) => jsonObject(object, '.dockercfg')],
      [naming.key('orch/dockerconfigjson'), (object) => jsonObject(object, '.dockerconfigjson')],
      [naming.key('orch/basic-auth'), (object) => anyOf(object, ['username', 'password'])],
      [naming.key('orch/ssh-auth'), (object) => (object.data?.['ssh-privatekey'] ? [] : [required(dataPath.key('ssh-privatekey'))])],
      [naming.key('orch/tls'), (object) => allOf(object, ['tls.crt', 'tls.key'])],
    ]);
  }

  check(object: Secret): FieldError[] {
    return this.#rules.get(object.type ?? '')?.(object) ?? [];
  }
}

function serviceAccountToken({metadata}: Secret, annotation: string): FieldError[] {
  // A controller fills in the rest of such a secret later.
  return metadata.annotations?.[annotation] ? [] : [required(FieldPath.of('metadata', 'annotations').key(annotation))];
}

function jsonObject({data}: Secret, key: string): FieldError[] {
  if (data === undefined || !Object.hasOwn(data, key)) return [required(dataPath.key(key))];
  const problem = jsonProblem(Buffer.from(data[key]!, 'base64').toString('utf8'));
  return problem === undefined ? [] : [invalid(dataPath.key(key), '<secret contents redacted>', problem)];
}

/** Never quotes the text: a parser's own message would show part of the secret. */
function jsonProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'must be a JSON object';
  } catch {
    return 'must be valid JSON';
  }
}

function allOf({data = {}}: Secret, keys: readonly string[]): FieldError[] {
  return keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(dataPath.key(key)));
}

function anyOf({data = {}}: Secret, keys: readonly string[]): FieldError[] {
  return keys.some((key) => Object.hasOwn(data, key)) ? [] : keys.map((key) => required(dataPath.key(key)));
}
