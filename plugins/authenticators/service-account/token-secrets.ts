import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {
  controller,
  inject,
  StatusError,
  Tokens,
  type ApiObject,
  type Controller,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type ServerPaths,
  type Unchecked,
} from '../../../sdk/index.js';
import {followObjects, WorkQueue, type ObjectFollower, type WorkResult} from '../../../sdk/controllers/index.js';
import type * as core from '../../../sdk/types/core/v1.js';
import {AccountTokens} from './account-tokens.js';

type Secret = Unchecked<core.Secret>;

const secrets = {group: '', version: 'v1', resource: 'secrets'};
const serviceAccounts = {group: '', version: 'v1', resource: 'serviceaccounts'};

/**
 * Fills Secrets of the type `orch/service-account-token` with a token of the account named in the annotation, the CA and the namespace.
 * Such a Secret is deleted with its account. Secrets are watched by name only; their content is not kept.
 */
@controller()
export class TokenSecrets implements Controller {
  readonly #type: string;
  readonly #nameKey: string;
  readonly #uidKey: string;
  readonly #tokens: AccountTokens;
  /** Secrets (`NAMESPACE/NAME`) by account (`NAMESPACE/NAME`). */
  readonly #byAccount = new Map<string, Set<string>>();
  #queue: WorkQueue | undefined;
  #following: Promise<unknown> | undefined;
  readonly #caFile: string;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;

  constructor(
    @inject(AccountTokens) tokens: AccountTokens,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Paths) paths: ServerPaths,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#caFile = tokens.settings.rootCaFile === undefined ? paths.clientCaFile : resolve(tokens.settings.rootCaFile);
    this.#resources = resources;
    this.#logger = logger;
    this.#type = naming.key('orch/service-account-token');
    this.#nameKey = naming.key('orch/service-account.name');
    this.#uidKey = naming.key('orch/service-account.uid');
    this.#tokens = tokens;
  }

  async start(signal: AbortSignal): Promise<void> {
    const queue = new WorkQueue((key) => this.#complete(key), {
      concurrency: 2,
      onError: (secret, error) => this.#logger.warn({secret, err: error}, 'filling in a token failed; it is tried again'),
    });
    this.#queue = queue;
    const failed = (error: unknown) => this.#logger.warn({err: error}, 'following failed; it is tried again');
    const bySecret: ObjectFollower = {
      changed: (secret) => {
        const account = this.#accountKey(secret);
        const known = this.#byAccount.get(account);
        if (known) known.add(keyOf(secret));
        else this.#byAccount.set(account, new Set([keyOf(secret)]));
        queue.add(keyOf(secret));
      },
      deleted: (secret) => {
        const account = this.#accountKey(secret);
        const known = this.#byAccount.get(account);
        if (known?.delete(keyOf(secret)) && known.size === 0) this.#byAccount.delete(account);
      },
      listed: () => undefined,
      failed,
    };
    const byAccount: ObjectFollower = {
      changed: (account) => this.#enqueueSecretsOf(account),
      deleted: (account) => this.#enqueueSecretsOf(account),
      listed: () => undefined,
      failed,
    };
    this.#following = Promise.all([
      followObjects(this.#resources, secrets, bySecret, signal, {startFromCache: true, fieldSelector: `type=${this.#type}`}),
      followObjects(this.#resources, serviceAccounts, byAccount, signal, {startFromCache: true}),
    ]);
  }

  async stop(): Promise<void> {
    await this.#queue?.close();
    await this.#following;
  }

  #enqueueSecretsOf(account: ApiObject): void {
    for (const key of this.#byAccount.get(keyOf(account)) ?? []) this.#queue!.add(key);
  }

  #accountKey({metadata}: ApiObject): string {
    return `${metadata.namespace}/${metadata.annotations?.[this.#nameKey] ?? ''}`;
  }

  async #complete(key: string): Promise<WorkResult> {
    const [namespace, name] = key.split('/') as [string, string];
    const secret = (await this.#read(secrets, namespace, name)) as Secret | undefined;
    if (!secret || secret.metadata.deletionTimestamp) return {done: true};
    const {annotations = {}} = secret.metadata;
    const account = await this.#read(serviceAccounts, namespace, annotations[this.#nameKey] ?? '');
    const uid = account?.metadata.uid;
    try {
      if (!account || (annotations[this.#uidKey] && annotations[this.#uidKey] !== uid)) {
        await this.#resources.delete(secrets, namespace, name, {
          uid: secret.metadata.uid!,
          resourceVersion: secret.metadata.resourceVersion!,
        });
      } else {
        const filled = await this.#filled(secret, {name: account.metadata.name!, uid: uid!});
        if (filled) await this.#resources.update(secrets, namespace, filled);
      }
    } catch (error) {
      // Changed by another writer: an event follows.
      if (!StatusError.is(error) || (error.code !== 404 && error.code !== 409)) throw error;
    }
    return {done: true};
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
    try {
      return await this.#resources.get(ref, namespace, name);
    } catch (error) {
      if (StatusError.is(error) && error.code === 404) return undefined;
      throw error;
    }
  }
}

function keyOf({metadata}: ApiObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
