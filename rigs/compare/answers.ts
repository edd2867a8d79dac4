import type {HttpsResponse} from '../../test/helpers/https-client.js';

export interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What a client can see of an answer, without what differs from server to server. */
export interface Answer {
  readonly code: number;
  /** Of the body, where it is not JSON. */
  readonly mediaType?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly Cause[];
  /** Of a Status, without its causes. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly warnings?: readonly string[];
  /** What was or would be stored. */
  readonly object?: unknown;
}

/** An answer that was recorded, as one of today: what is left out of messages may have become more. */
export function asOfToday(answer: Answer): Answer {
  if (answer.message === undefined) return answer;
  const {message, ...given} = answer;
  const causes = given.causes?.map((cause) => (cause.message === undefined ? cause : {...cause, message: withoutScheme(cause.message)}));
  const others = {...given, ...(causes && {causes})};
  return answer.code < 300 && answer.mediaType?.includes('yaml') ? others : {...others, message: withoutPorts(message)};
}

/** Members that each server chooses: of every object, and of single kinds. */
const ownMetadata = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'selfLink'];
const ownMembers: Readonly<Record<string, readonly string[]>> = {
  Service: ['clusterIP', 'clusterIPs', 'healthCheckNodePort'],
  CertificateSigningRequest: ['username', 'uid', 'groups', 'extra'],
};

/** @param items whether the objects of a list are a part of the answer, or only how it is made, because others write too */
export function answerOf({status, headers, text}: HttpsResponse, items: 'shown' | 'left out' = 'left out'): Answer {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text, withoutChance) as Record<string, unknown>;
  } catch {
    const mediaType = String(headers['content-type'] ?? '');
    // What is shown in another form is as good as in JSON, which others have compared.
    const isShown = /protobuf|cbor/.test(mediaType) || (status < 300 && mediaType.includes('yaml'));
    return {code: status, mediaType, ...(!isShown && {message: withoutPorts(text)})};
  }
  if (typeof body !== 'object' || body === null) return {code: status, message: text};
  const warnings = [headers['warning'] ?? []]
    .flat()
    .flatMap((value) => [...String(value).matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, found]) => found!));
  const common = {code: status, ...(warnings.length > 0 && {warnings})};
  if (body['kind'] !== 'Status') return {...common, object: withoutOwn(items === 'shown' ? body : withoutItems(body))};
  const {reason, message, details} = body as {reason?: string; message?: string; details?: {causes?: Cause[]}};
  const {causes: given, ...others} = details ?? {};
  const causes = given?.map((cause) => ({
    ...cause,
    ...(cause.message !== undefined && {message: withoutScheme(withoutPatched(withoutListing(cause.message)))}),
  }));
  // With causes, the rest of the message is their texts.
  const head = causes === undefined ? message && withoutPorts(message) : message?.split(' is invalid: ', 1)[0];
  return {
    ...common,
    ...(reason !== undefined && {reason}),
    ...(head !== undefined && {message: head}),
    ...(causes !== undefined && {causes}),
    ...(details !== undefined && {details: others}),
  };
}

/** Kubernetes and we add to some messages how two specs differ, each in its own form, from the second line on. */
function withoutListing(message: string): string {
  return message.split('\n', 1)[0]!.trimEnd();
}

/** What a patch would have made is shown as each server writes it, here in part. */
function withoutPatched(message: string): string {
  return message.replace(/^(Invalid value: )"(?:\{|map\[)(?:[^"\\]|\\.)*"/, '$1<patched>');
}

function withoutScheme(message: string): string {
  return message.replace(/ in scheme "[^"]*"/, '');
}

/** Versions are other ones on each server, and so are ports; where in its source Kubernetes keeps a scheme is no matter. */
function withoutPorts(message: string): string {
  return withoutScheme(message)
    .replaceAll(/(in record \()\d+/g, '$1<n>')
    .replaceAll(/(current: |object meta: |127\.0\.0\.1:|\[::1\]:)\d+/g, '$1<n>')
    .replaceAll(/(the provided version|resource version|too old resource version): \d+ \(\d+\)/g, '$1: <n>');
}

/** Which objects there are is no matter here, only how a list is answered. */
function withoutItems(body: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(body['items']) && String(body['kind']).endsWith('List')) return {...body, items: [], metadata: {}};
  return body['kind'] === 'Table' ? {...body, rows: [], metadata: {}} : body;
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
