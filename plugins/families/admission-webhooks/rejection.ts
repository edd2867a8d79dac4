import {
  isJsonObject,
  StatusError,
  type JsonObject,
  type JsonValue,
  type StatusCause,
  type StatusDetails,
  type StatusReason,
} from '../../../sdk/index.js';

const causeLimit = 100;
/** Highest status that HTTP can express. */
const greatestCode = 999;

/** The error that a client receives when a webhook rejects a write. Status, message, reason and details are the webhook's. */
export function rejection(name: string, result: JsonObject | undefined): StatusError {
  const deniedBy = `admission webhook ${JSON.stringify(name)} denied the request`;
  const message = textOf(result?.['message']);
  const reason = textOf(result?.['reason']);
  const text = message || reason ? `${deniedBy}: ${message || reason}` : `${deniedBy} without explanation`;
  const details = detailsOf(result?.['details']);
  return new StatusError(codeOf(result?.['code']), reason as StatusReason, text, details ? {details} : {});
}

/** A rejection is an error, whatever code the webhook sends. */
function codeOf(value: JsonValue | undefined): number {
  const code = typeof value === 'number' && Number.isInteger(value) ? value : 400;
  return code < 400 ? 400 : Math.min(code, greatestCode);
}

/** Only members that the details of a `Status` have, with the right types. */
function detailsOf(value: JsonValue | undefined): StatusDetails | undefined {
  if (!isJsonObject(value)) return undefined;
  const {name, group, kind, uid, causes, retryAfterSeconds} = value;
  const texts = Object.fromEntries(Object.entries({name, group, kind, uid}).filter(([, text]) => typeof text === 'string' && text !== ''));
  const found = Array.isArray(causes) ? causes.filter(isJsonObject).slice(0, causeLimit).map(causeOf) : [];
  const details: StatusDetails = {
    ...texts,
    ...(found.length === 0 ? {} : {causes: found}),
    ...(typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0 ? {retryAfterSeconds: Math.ceil(retryAfterSeconds)} : {}),
  };
  return Object.keys(details).length === 0 ? undefined : details;
}

function causeOf({reason, message, field}: JsonObject): StatusCause {
  return Object.fromEntries(Object.entries({reason, message, field}).filter(([, text]) => typeof text === 'string'));
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
