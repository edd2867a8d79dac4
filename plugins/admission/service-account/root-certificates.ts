import {readFile} from 'node:fs/promises';
import {isNotFound, StatusError, type ApiObject, type Logger, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';

const configMaps: ResourceRef = {group: '', version: 'v1', resource: 'configmaps'};
const key = 'ca.crt';
const description = 'The CA that the certificate of the API server is verified with.';

export interface RootCertificatesOptions {
  readonly resources: ResourceClient;
  readonly logger: Logger;
  /** Of the ConfigMap. */
  readonly name: string;
  /** PEM file. */
  readonly caFile: string;
  /** Key of the annotation that describes the ConfigMap. */
  readonly descriptionKey: string;
}

/**
 * Publishes the server's CA in a ConfigMap of each namespace whose pods mount it. It is created with the first such pod, and restored with
 * each further one if it was deleted or changed: an admitted pod never refers to a missing or outdated ConfigMap.
 */
export class RootCertificates {
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #resources: ResourceClient;
  readonly #logger: Logger;
  readonly #name: string;
  readonly #caFile: string;
  readonly #descriptionKey: string;
  #ca: string | undefined;

  constructor({resources, logger, name, caFile, descriptionKey}: RootCertificatesOptions) {
    this.#resources = resources;
    this.#logger = logger;
    this.#name = name;
    this.#caFile = caFile;
    this.#descriptionKey = descriptionKey;
  }

  /** Resolves when it exists. A failure to write it (because of a quota, say) is only logged, because it is not the pod's mistake. */
  publish(namespace: string): Promise<void> {
    const known = this.#underWay.get(namespace);
    if (known) return known;
    const work = this.#publish(namespace)
      .catch((error: unknown) => {
        // Another server wrote it first.
        if (StatusError.is(error) && error.code === 409) return;
        this.#logger.warn({namespace, configMap: this.#name, err: error}, 'the CA could not be published');
      })
      .finally(() => this.#underWay.delete(namespace));
    this.#underWay.set(namespace, work);
    return work;
  }

  async #publish(namespace: string): Promise<void> {
    const ca = (this.#ca ??= await readFile(this.#caFile, 'utf8'));
    const found = await this.#read(namespace, {resourceVersion: '0'});
    if (found && dataOf(found)[key] === ca && Object.keys(dataOf(found)).length === 1) return;
    const recent = await this.#read(namespace);
    if (recent) {
      await this.#resources.update(configMaps, namespace, {...recent, data: {[key]: ca}});
      return;
    }
    await this.#resources.create(configMaps, namespace, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {name: this.#name, namespace, annotations: {[this.#descriptionKey]: description}},
      data: {[key]: ca},
    });
  }

  async #read(namespace: string, options?: {resourceVersion: string}): Promise<ApiObject | undefined> {
    try {
      return await this.#resources.get(configMaps, namespace, this.#name, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function dataOf(object: ApiObject): Readonly<Record<string, string>> {
  return (object as {data?: Record<string, string>}).data ?? {};
}
