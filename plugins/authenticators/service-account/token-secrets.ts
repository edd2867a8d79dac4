import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {
  controller,
  ifFound,
  inject,
  isOvertaken,
  preconditionsOf,
  Tokens,
  type ApiObject,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type ServerPaths,
} from '../../../sdk/index.js';
import {done, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import type {Secret} from '../../../sdk/types/unchecked/core/v1.js';
import {AccountTokens} from './account-tokens.js';

const secrets = {group: '', version: 'v1', resource: 'secrets'};
const serviceAccounts = {group: '', version: 'v1', resource: 'serviceaccounts'};

/**
 * Fills Secrets of the type `orch/service-account-token` with a token of the account named in the annotation, the CA and the namespace.
 * Such a Secret is deleted with its account. Secrets are watched by name only; their content is not kept.
 */
@controller()
export class TokenSecrets extends Reconciler {
  readonly #nameKey: string;
  readonly #uidKey: string;
  readonly #tokens: AccountTokens;
  /** Secrets (`NAMESPACE/NAME`) by account (`NAMESPACE/NAME`). */
  readonly #byAccount = new Map<string, Set<string>>();
  readonly #caFile: string;
  readonly #resources: ResourceClient;

  constructor(
    @inject(AccountTokens) tokens: AccountTokens,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Paths) paths: ServerPaths,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    super({
      resources,
      naming,
      logger,
      concurrency: 2,
      types: [
        {
          ref: secrets,
          startFromCache: true,
          fieldSelector: `type=${naming.key('orch/service-account-token')}`,
          changed: (secret) => this.#remember(secret),
          deleted: (secret) => this.#forget(secret),
        },
        {ref: serviceAccounts, startFromCache: true, changed: (account) => this.#byAccount.get(objectKey(account)) ?? []},
      ],
      reconcile: (key) => this.#complete(key),
    });
    this.#caFile = tokens.settings.rootCaFile === undefined ? paths.clientCaFile : resolve(tokens.settings.rootCaFile);
    this.#resources = resources;
    this.#nameKey = naming.key('orch/service-account.name');
    this.#uidKey = naming.key('orch/service-account.uid');
    this.#tokens = tokens;
  }

  #remember(secret: ApiObject): string[] {
    const account = this.#accountKey(secret);
    const key = objectKey(secret);
    const known = this.#byAccount.get(account);
    if (known) known.add(key);
    else this.#byAccount.set(account, new Set([key]));
    return [key];
  }

  #forget(secret: ApiObject): string[] {
    const account = this.#accountKey(secret);
    const known = this.#byAccount.get(account);
    if (known?.delete(objectKey(secret)) && known.size === 0) this.#byAccount.delete(account);
    return [];
  }

  #accountKey({metadata}: ApiObject): string {
    return `${metadata.namespace}/${metadata.annotations?.[this.#nameKey] ?? ''}`;
  }

  async #complete(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const secret = (await this.#read(secrets, namespace, name)) as Secret | undefined;
    if (!secret || secret.metadata.deletionTimestamp) return done;
    const {annotations = {}} = secret.metadata;
    const account = await this.#read(serviceAccounts, namespace, annotations[this.#nameKey] ?? '');
    const uid = account?.metadata.uid;
    try {
      if (!account || (annotations[this.#uidKey] && annotations[this.#uidKey] !== uid)) {
        await this.#resources.delete(secrets, namespace, name, preconditionsOf(secret));
      } else {
        const filled = await this.#filled(secret, {name: account.metadata.name!, uid: uid!});
        if (filled) await this.#resources.update(secrets, namespace, filled);
      }
    } catch (error) {
      // Changed by another writer: an event follows.
      if (!isOvertaken(error)) throw error;
    }
    return done;
  }

  /** The Secret with its missing data; undefined if nothing is missing. */
  async #filled(secret: Secret, account: {name: string; uid: string}): Promise<Secret | undefined> {
    const {metadata, data = {}} = secret;
    const namespace = metadata.namespace!;
    const missing: Record<string, string> = {};
    const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
    if (!data['token'])
      missing['token'] = base64(await this.#tokens.keys.sign(this.#tokens.claims.ofSecret(namespace, metadata.name!, account)));
    if (!data['ca.crt']) missing['ca.crt'] = base64(await readFile(this.#caFile));
    if (!data['namespace']) missing['namespace'] = base64(namespace);
    if (Object.keys(missing).length === 0 && metadata.annotations?.[this.#uidKey] === account.uid) return undefined;
    return {
      ...secret,
      metadata: {...metadata, annotations: {...metadata.annotations, [this.#uidKey]: account.uid}},
      data: {...data, ...missing},
    };
  }

  async #read(ref: typeof secrets, namespace: string, name: string): Promise<ApiObject | undefined> {
    if (name === '') return undefined;
    return ifFound(this.#resources.get(ref, namespace, name));
  }
}
