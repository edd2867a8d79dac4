import type {JWTPayload} from 'jose';
import {namespaceFinalizer, type NamingProfile} from '../../../sdk/index.js';

/** An object by name, and by the uid that distinguishes it from earlier or later objects with that name. */
export interface NamedObject {
  readonly name: string;
  readonly uid: string;
}

/** The content of a token in either form. */
export interface TokenSubject {
  readonly namespace: string;
  readonly account: NamedObject;
  /** The object whose deletion invalidates the token. A Node may be given by its name alone where it is only the place of a pod. */
  readonly bound?: NamedObject & {readonly kind: 'Pod' | 'Secret' | 'Node'};
  /** Of a token that is bound to a pod, where that runs. The uid is empty if the node does not exist. */
  readonly node?: NamedObject;
}

interface BoundClaims {
  namespace?: unknown;
  serviceaccount?: unknown;
  pod?: unknown;
  secret?: unknown;
  node?: unknown;
}

/**
 * Reads and writes the claims of service account tokens as Kubernetes does. Requested tokens name an object and expire. Tokens in Secrets
 * (the older form) do not expire and are valid as long as the Secret exists.
 */
export class TokenClaims {
  /** `iss` of tokens in Secrets. */
  readonly secretIssuer: string;
  readonly #member: string;
  readonly #prefix: string;

  constructor(naming: NamingProfile) {
    this.secretIssuer = `${namespaceFinalizer(naming)}/serviceaccount`;
    this.#member = naming.keyPrefix;
    this.#prefix = naming.key('orch/serviceaccount');
  }

  /** The private claims of a requested token. */
  ofRequest({namespace, account, bound, node}: TokenSubject): JWTPayload {
    return {
      sub: userNameOf(namespace, account.name),
      [this.#member]: {
        namespace,
        serviceaccount: {...account},
        ...(bound ? {[bound.kind.toLowerCase()]: {name: bound.name, uid: bound.uid}} : {}),
        ...(node ? {node: {name: node.name, ...(node.uid === '' ? {} : {uid: node.uid})}} : {}),
      },
    };
  }

  /** All claims of a token in a Secret. */
  ofSecret(namespace: string, secret: string, account: NamedObject): JWTPayload {
    return {
      iss: this.secretIssuer,
      sub: userNameOf(namespace, account.name),
      [`${this.#prefix}/namespace`]: namespace,
      [`${this.#prefix}/secret.name`]: secret,
      [`${this.#prefix}/service-account.name`]: account.name,
      [`${this.#prefix}/service-account.uid`]: account.uid,
    };
  }

  /** Reads a requested token; undefined if something is missing or invalid. */
  readRequest(claims: JWTPayload): TokenSubject | undefined {
    const {namespace, serviceaccount, pod, secret, node} = (claims[this.#member] ?? {}) as BoundClaims;
    const account = namedObject(serviceaccount);
    if (typeof namespace !== 'string' || !account || claims.sub !== userNameOf(namespace, account.name)) return undefined;
    for (const [kind, value] of [
      ['Pod', pod],
      ['Secret', secret],
      ['Node', node],
    ] as const) {
      if (value === undefined) continue;
      const bound = namedObject(value);
      const place = kind === 'Pod' && node !== undefined ? placeOf(node) : undefined;
      return bound && {namespace, account, bound: {kind, ...bound}, ...(place ? {node: place} : {})};
    }
    return {namespace, account};
  }

  /** Reads a token in a Secret. It does not contain the Secret's uid, because the Secret contains the token itself. */
  readSecret(claims: JWTPayload): (TokenSubject & {readonly secret: string}) | undefined {
    const text = (name: string) => claims[`${this.#prefix}/${name}`];
    const [namespace, secret, name, uid] = [
      text('namespace'),
      text('secret.name'),
      text('service-account.name'),
      text('service-account.uid'),
    ];
    if (typeof namespace !== 'string' || typeof secret !== 'string' || typeof name !== 'string' || typeof uid !== 'string')
      return undefined;
    return claims.sub === userNameOf(namespace, name) ? {namespace, secret, account: {name, uid}} : undefined;
  }
}

/** The user name of a service account. */
export function userNameOf(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** Where a pod runs; the uid is missing if its node did not exist. */
function placeOf(value: unknown): NamedObject | undefined {
  return namedObject({uid: '', ...(value as object | null)});
}

function namedObject(value: unknown): NamedObject | undefined {
  const {name, uid} = (value ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof uid === 'string' ? {name, uid} : undefined;
}
