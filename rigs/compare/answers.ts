import type {HttpsResponse} from '../../test/helpers/https-client.js';

export interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What a client can see of an answer, without what differs from server to server. */
export interface Answer {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly Cause[];
  readonly warnings?: readonly string[];
  /** What was or would be stored. */
  readonly object?: unknown;
}

/** Members that each server chooses: of every object, and of single kinds. */
const ownMetadata = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'selfLink'];
const ownMembers: Readonly<Record<string, readonly string[]>> = {
  Service: ['clusterIP', 'clusterIPs', 'healthCheckNodePort'],
  CertificateSigningRequest: ['username', 'uid', 'groups', 'extra'],
};

/** @param response to a request with a JSON body */
export function answerOf({status, headers, text}: HttpsResponse): Answer {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text, withoutChance) as Record<string, unknown>;
  } catch {
    return {code: status, message: text};
  }
  const warnings = [headers['warning'] ?? []]
    .flat()
    .flatMap((value) => [...String(value).matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, found]) => found!));
  const common = {code: status, ...(warnings.length > 0 && {warnings})};
  if (body['kind'] !== 'Status') return {...common, object: withoutOwn(body)};
  const {reason, message, details} = body as {reason?: string; message?: string; details?: {causes?: Cause[]}};
  const causes = details?.causes?.map((cause) => ({
    ...cause,
    ...(cause.message !== undefined && {message: withoutListing(cause.message)}),
  }));
  // With causes, the rest of the message is their texts.
  const head = causes === undefined ? message : message?.split(' is invalid: ', 1)[0];
  return {
    ...common,
    ...(reason !== undefined && {reason}),
    ...(head !== undefined && {message: head}),
    ...(causes !== undefined && {causes}),
  };
}

/** Kubernetes and we add to some messages how two specs differ, each in its own form, from the second line on. */
function withoutListing(message: string): string {
  return message.split('\n', 1)[0]!.trimEnd();
}

const nowMillis = 86_400_000;

/** Identifiers and the time of the request are other ones each time. */
function withoutChance(_key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && Math.abs(Date.parse(value) - Date.now()) < nowMillis) return '<now>';
  return value.replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>');
}

/** Before 1.34 Kubernetes shows metadata within an object with a time of creation that is null. */
function withoutNullTimes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNullTimes);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (key === 'creationTimestamp' && one === null ? [] : [[key, withoutNullTimes(one)]])),
  );
}

function withoutOwn(object: Record<string, unknown>): unknown {
  const copy = withoutNullTimes(object) as Record<string, unknown>;
  const metadata = copy['metadata'] as Record<string, unknown> | undefined;
  for (const name of ownMetadata) delete metadata?.[name];
  const spec = copy['spec'] as Record<string, unknown> | undefined;
  for (const name of ownMembers[String(copy['kind'])] ?? []) delete spec?.[name];
  for (const port of copy['kind'] === 'Service' ? ((spec?.['ports'] ?? []) as Record<string, unknown>[]) : []) delete port['nodePort'];
  return copy;
}
