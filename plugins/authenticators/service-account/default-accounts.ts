import {
  controller,
  inject,
  StatusError,
  Tokens,
  type ApiObject,
  type Controller,
  type Logger,
  type ResourceClient,
} from '../../../sdk/index.js';
import {followObjects, WorkQueue, type ObjectFollower, type WorkResult} from '../../../sdk/controllers/index.js';

const namespaces = {group: '', version: 'v1', resource: 'namespaces'};
const serviceAccounts = {group: '', version: 'v1', resource: 'serviceaccounts'};
const accountName = 'default';

/** Ensures that every namespace has the service account `default`. */
@controller()
export class DefaultAccounts implements Controller {
  #queue: WorkQueue | undefined;
  #following: Promise<unknown> | undefined;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Logger) logger: Logger) {
    this.#resources = resources;
    this.#logger = logger;
  }

  async start(signal: AbortSignal): Promise<void> {
    const queue = new WorkQueue((namespace) => this.#ensure(namespace), {
      concurrency: 4,
      onError: (namespace, error) =>
        this.#logger.warn({namespace, err: error}, 'making the default service account failed; it is tried again'),
    });
    this.#queue = queue;
    const failed = (error: unknown) => this.#logger.warn({err: error}, 'following failed; it is tried again');
    const byNamespace: ObjectFollower = {
      changed: (namespace) => {
        if (!isTerminating(namespace)) queue.add(namespace.metadata.name!);
      },
      deleted: () => undefined,
      listed: () => undefined,
      failed,
    };
    const byAccount: ObjectFollower = {
      changed: () => undefined,
      deleted: ({metadata}) => {
        if (metadata.name === accountName) queue.add(metadata.namespace!);
      },
      listed: () => undefined,
      failed,
    };
    this.#following = Promise.all([
      followObjects(this.#resources, namespaces, byNamespace, signal, {startFromCache: true}),
      followObjects(this.#resources, serviceAccounts, byAccount, signal, {
        startFromCache: true,
        fieldSelector: `metadata.name=${accountName}`,
      }),
    ]);
  }

  async stop(): Promise<void> {
    await this.#queue?.close();
    await this.#following;
  }

  async #ensure(namespace: string): Promise<WorkResult> {
    try {
      await this.#resources.get(serviceAccounts, namespace, accountName, {resourceVersion: '0'});
      return {done: true};
    } catch (error) {
      if (!StatusError.is(error) || error.code !== 404) throw error;
    }
    try {
      await this.#resources.create(serviceAccounts, namespace, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: {name: accountName, namespace},
      });
    } catch (error) {
      // It exists already, or the namespace is deleted or being deleted.
      if (!StatusError.is(error) || ![403, 404, 409].includes(error.code)) throw error;
    }
    return {done: true};
  }
}

function isTerminating(namespace: ApiObject): boolean {
  return Boolean(namespace.metadata.deletionTimestamp);
}
