import {randomUUID} from 'node:crypto';
import {StatusError, type ApiObject, type NamingProfile, type WebhookCaller, type WebhookTarget} from '../../../../sdk/index.js';
import type {CustomResourceDefinition, WebhookClientConfig} from '../custom-resource-definition.js';
import {adoptConverted} from './adopt-converted.js';
import {convertedObjects} from './converted-objects.js';
import {objectBatches} from './object-batches.js';
import {chosenReviewVersion} from './review-versions.js';

/** What a conversion webhook needs from the server. */
export interface ConversionParts {
  readonly webhooks: WebhookCaller;
  readonly naming: NamingProfile;
  /** For one call. */
  readonly timeoutMillis: number;
}

/** Maximum characters of a fault in the response: it may quote the webhook. */
const longestMessage = 4096;

type GroupVersion = {readonly group: string; readonly version: string};

/**
 * Converts objects of a definition by its webhook (docs/semantics/custom-resources.md#conversion; Kubernetes' ConversionReview). Failed
 * calls are not retried.
 */
export class ConversionWebhook {
  readonly #target: WebhookTarget;
  readonly #reviewVersion: string | undefined;
  readonly #reviewGroup: string;
  readonly #parts: ConversionParts;

  constructor({spec}: CustomResourceDefinition, parts: ConversionParts) {
    this.#parts = parts;
    const {clientConfig = {}, conversionReviewVersions} = spec.conversion?.webhook ?? {};
    this.#target = conversionTarget(clientConfig, parts.timeoutMillis);
    this.#reviewVersion = chosenReviewVersion(conversionReviewVersions ?? []);
    this.#reviewGroup = parts.naming.group('apiextensions.orch');
  }

  /**
   * Converts objects to another version, keeping their order. They are sent in one review unless it would be too large.
   *
   * @throws StatusError 500 that says what is wrong with the webhook or its response
   */
  async convertMany(objects: readonly ApiObject[], to: GroupVersion): Promise<readonly ApiObject[]> {
    const converted: ApiObject[] = [];
    try {
      for (const {originals, texts} of objectBatches(objects))
        converted.push(...(await this.#review(originals, texts, `${to.group}/${to.version}`)));
    } catch (error) {
      const {apiVersion = '', kind = ''} = objects[0]!;
      throw new StatusError(
        500,
        'InternalError',
        `conversion webhook for ${apiVersion}, Kind=${kind} failed: ${(error as Error).message.slice(0, longestMessage)}`,
        {cause: error},
      );
    }
    return converted;
  }

  async #review(originals: readonly ApiObject[], texts: readonly string[], desiredApiVersion: string): Promise<ApiObject[]> {
    if (this.#reviewVersion === undefined) throw new Error('no supported conversion review versions');
    const apiVersion = `${this.#reviewGroup}/${this.#reviewVersion}`;
    const uid = randomUUID();
    // Concatenated from the objects' JSON, which is large.
    const head = JSON.stringify({kind: 'ConversionReview', apiVersion}).slice(0, -1);
    const request = JSON.stringify({uid, desiredAPIVersion: desiredApiVersion}).slice(0, -1);
    const answer = await this.#parts.webhooks.call(this.#target, `${head},"request":${request},"objects":[${texts.join(',')}]}}`);
    const converted = convertedObjects(answer, {apiVersion, uid, isStrict: this.#reviewVersion !== 'v1beta1'});
    if (converted.length !== originals.length) throw new Error(`it returned ${converted.length} objects, expected ${originals.length}`);
    return originals.map((original, position) => {
      try {
        return adoptConverted(original, converted[position], desiredApiVersion);
      } catch (error) {
        throw new Error(`it returned an invalid object at index ${position}: ${(error as Error).message}`, {cause: error});
      }
    });
  }
}

/** The webhook that a definition names. */
function conversionTarget({url, service, caBundle}: WebhookClientConfig, timeoutMillis: number): WebhookTarget {
  const settings = {timeoutMillis, ...(caBundle ? {caBundle: Buffer.from(caBundle, 'base64').toString('utf8')} : {})};
  return service ? {...settings, service} : {...settings, url: url ?? ''};
}
