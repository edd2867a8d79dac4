import {isJsonObject, type JsonObject, type JsonValue} from '../../../../sdk/index.js';

/** Maximum characters of a webhook's message, and of a quoted invalid value, in errors. */
const maximumMessage = 1024;
const maximumText = 100;

/** What a response must match. */
export interface AskedReview {
  readonly apiVersion: string;
  readonly uid: string;
  /** Webhooks of `v1beta1` need not repeat kind, version and uid. */
  readonly isStrict: boolean;
}

/** The objects in the response to a ConversionReview, unchecked. @throws Error that says why there are none */
export function convertedObjects(answer: JsonObject, {apiVersion, uid, isStrict}: AskedReview): readonly (JsonValue | undefined)[] {
  checkReview(answer, apiVersion, isStrict);
  const {response} = answer;
  if (!isJsonObject(response)) throw new Error('no response provided');
  if (isStrict && response['uid'] !== uid)
    throw new Error(
      `expected response.uid=${JSON.stringify(uid)}, got ${typeof response['uid'] === 'object' ? 'object' : JSON.stringify(text(response['uid'] ?? ''))}`,
    );
  const result = isJsonObject(response['result']) ? response['result'] : {};
  if (result['status'] !== 'Success') {
    const {message, status} = result;
    if (typeof message === 'string' && message !== '') throw new Error(message.slice(0, maximumMessage));
    throw new Error(`response.result.status was '${typeof status === 'string' ? text(status) : ''}', not 'Success'`);
  }
  const objects = response['convertedObjects'] ?? [];
  if (!Array.isArray(objects)) throw new Error('response.convertedObjects is no list');
  return objects;
}

function checkReview(answer: JsonObject, apiVersion: string, isStrict: boolean): void {
  const given = {
    apiVersion: answer['apiVersion'] ?? (isStrict ? '' : apiVersion),
    kind: answer['kind'] ?? (isStrict ? '' : 'ConversionReview'),
  };
  if (given.apiVersion === apiVersion && given.kind === 'ConversionReview') return;
  throw new Error(
    `expected webhook response of ${apiVersion}, Kind=ConversionReview, got ${text(given.apiVersion)}, Kind=${text(given.kind)}`,
  );
}

/** An unexpected value for an error message. Long values are not quoted: they may be anything. */
function text(value: JsonValue): string {
  if (typeof value !== 'string') return typeof value;
  return value.length > maximumText ? `text of ${value.length} letters` : value;
}
