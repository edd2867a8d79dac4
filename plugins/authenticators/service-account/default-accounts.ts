import {
  controller,
  ifFound,
  inject,
  isNotFound,
  StatusError,
  Tokens,
  type Controller,
  type Logger,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {Reconciler, type WorkResult} from '../../../sdk/controllers/index.js';

const namespaces = {group: '', version: 'v1', resource: 'namespaces'};
const serviceAccounts = {group: '', version: 'v1', resource: 'serviceaccounts'};
const accountName = 'default';

/** Ensures that every namespace has the service account `default`. */
@controller()
export class DefaultAccounts implements Controller {
  readonly #loop: Reconciler;
  readonly #resources: ResourceClient;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#resources = resources;
    const ofAccounts = {fieldSelector: `metadata.name=${accountName}`, startFromCache: true};
    this.#loop = new Reconciler({
      resources,
      naming,
      logger,
      concurrency: 4,
      types: [
        {
          ref: namespaces,
          startFromCache: true,
          changed: ({metadata}) => (metadata.deletionTimestamp ? [] : [metadata.name!]),
          deleted: () => [],
        },
        {ref: serviceAccounts, ...ofAccounts, changed: () => [], deleted: ({metadata}) => [metadata.namespace!]},
      ],
      reconcile: (namespace) => this.#ensure(namespace),
    });
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#loop.start(signal);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #ensure(namespace: string): Promise<WorkResult> {
    if (await ifFound(this.#resources.get(serviceAccounts, namespace, accountName, {resourceVersion: '0'}))) return {done: true};
    try {
      await this.#resources.create(serviceAccounts, namespace, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: {name: accountName, namespace},
      });
    } catch (error) {
      if (!StatusError.is(error) || ![403, 404, 409].includes(error.code)) throw error;
      // It exists already, or the namespace is deleted or being deleted: nothing else may keep it from having one.
      if (error.code === 403 && !(await this.#isGoing(namespace))) throw error;
    }
    return {done: true};
  }

  async #isGoing(namespace: string): Promise<boolean> {
    try {
      return (await this.#resources.get(namespaces, '', namespace)).metadata.deletionTimestamp !== undefined;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  }
}
