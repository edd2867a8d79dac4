import type {ApiObject} from '@orch-api/orch/sdk';
import type {TestClient} from '@orch-api/orch/testing';
import type {Teardown} from '../../../helpers/temp-folder.js';
import {answer, webhookService, type WebhookService, type WebhookServiceOptions} from '../../../helpers/webhook-service.js';
import {definition, establish, version, type Json, type StoredDefinition} from './definition-fixture.js';

/** A ConversionReview as a webhook gets it. */
export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {readonly uid: string; readonly desiredAPIVersion: string; readonly objects: ApiObject[]};
}

/** Stops a call: nothing is answered. */
export const silence = Symbol('silence');

/** What a webhook answers to a review: an object, JSON text, or nothing at all. */
export type Converter = (review: Review) => unknown;

export interface ConversionWebhook extends WebhookService {
  /** Reviews that came in, oldest first. */
  readonly reviews: Review[];
  /** What is answered from now on. */
  convert: Converter;
}

/** `spec.size` of v1 is `WIDTHxHEIGHT`; v2 and v3 have both apart. Everything else stays as it is. */
export function otherVersion(object: ApiObject, apiVersion: string): ApiObject {
  const {size, width, height, ...rest} = (object['spec'] ?? {}) as {size?: string; width?: unknown; height?: unknown};
  const [w, h] = size === undefined ? [width, height] : size.split('x').map(Number);
  const spec = apiVersion.endsWith('/v1') ? {...rest, size: `${String(w)}x${String(h)}`} : {...rest, width: w, height: h};
  return {...object, apiVersion, spec};
}

/** A review that went well, with these objects. */
export function success({apiVersion, kind, request}: Review, convertedObjects: readonly unknown[]): Json {
  return {apiVersion, kind, response: {uid: request.uid, result: {status: 'Success'}, convertedObjects}};
}

/** Converts as it should. */
export const faithful: Converter = (review) =>
  success(
    review,
    review.request.objects.map((object) => otherVersion(object, review.request.desiredAPIVersion)),
  );

/** Converts what `change` makes of faithfully converted objects. */
export const converting =
  (change: (object: ApiObject & {metadata: Json}) => unknown): Converter =>
  (review) =>
    success(
      review,
      review.request.objects.map((object) =>
        change(otherVersion(structuredClone(object), review.request.desiredAPIVersion) as ApiObject & {metadata: Json}),
      ),
    );

/** Starts a webhook that converts widgets; it is stopped at the end of the test. */
export async function conversionWebhook(t: Teardown, options: WebhookServiceOptions = {}): Promise<ConversionWebhook> {
  const reviews: Review[] = [];
  const service = await webhookService(
    t,
    (body, response) => {
      const review = JSON.parse(body) as Review;
      reviews.push(review);
      const result = webhook.convert(review);
      if (result !== silence) answer(response, result);
    },
    options,
  );
  const webhook: ConversionWebhook = {...service, reviews, convert: faithful};
  return webhook;
}

/** `spec.conversion` of a definition. */
export function byWebhook(clientConfig: Json, conversionReviewVersions: readonly string[] = ['v1']): Json {
  return {strategy: 'Webhook', webhook: {clientConfig, conversionReviewVersions}};
}

/** The client configuration that leads to a webhook, over its URL. */
export function clientConfig({url, ca}: {url: string; ca: string}): Json {
  return {url: `${url}/convert`, caBundle: Buffer.from(ca).toString('base64')};
}

const integer = {type: 'integer'};
const note = {type: 'string'};

/** The versions of converted widgets; `storage` names the one that is stored. */
export function widgetVersions(storage = 'v1', names: readonly string[] = ['v1', 'v2']): Json[] {
  return names.map((name) => {
    const properties = name === 'v1' ? {size: note, note, big: integer} : {width: integer, height: integer, note, big: integer};
    return version({type: 'object', properties}, {name, storage: name === storage, subresources: {status: {}}});
  });
}

/** Establishes a definition of widgets that a webhook converts. */
export function establishConverted(
  client: TestClient,
  group: string,
  conversion: Json,
  versions: readonly Json[] = widgetVersions(),
): Promise<StoredDefinition> {
  return establish(client, definition(group, versions, {conversion}));
}

/** A widget of 3 by 4, in v1 as it is written there, else as in v2. */
export function widget(
  group: string,
  name: string,
  versionName: string,
  spec: Json = versionName === 'v1' ? {size: '3x4'} : {width: 3, height: 4},
): Json {
  return {apiVersion: `${group}/${versionName}`, kind: 'Widget', metadata: {name}, spec};
}
