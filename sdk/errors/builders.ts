import {groupResourceText, type GroupResource} from '../objects/group-version.js';
import type {StatusCause} from '../objects/status.js';
import {fieldErrorCause, fieldErrorText, type FieldError} from './field-error.js';
import {cutText, messageLimits} from './message-limits.js';
import {StatusError, type StatusErrorOptions} from './status-error.js';

/** A resource type and, for errors about one object, its name. */
export interface ErrorTarget extends GroupResource {
  name?: string;
}

/** A name as it was sent may have a megabyte. */
const shownName = (name: string) => cutText(name, messageLimits.value);

function details(target: ErrorTarget, causes?: StatusCause[]) {
  return {
    ...(target.name ? {name: shownName(target.name)} : {}),
    ...(target.group ? {group: target.group} : {}),
    kind: target.resource,
    ...(causes && causes.length > 0 ? {causes} : {}),
  };
}

/** 400: the request itself is wrong (syntax, parameters, a value of the wrong type). */
export function badRequest(message: string, options?: StatusErrorOptions): StatusError {
  return new StatusError(400, 'BadRequest', message, options);
}

/** 401: no credentials, or credentials that no authenticator accepts. */
export function unauthorized(message = 'Unauthorized', options?: StatusErrorOptions): StatusError {
  return new StatusError(401, 'Unauthorized', message, options);
}

/** 403: the caller is known but does not have permission. */
export function forbidden(target: ErrorTarget, detail: string, causes?: StatusCause[]): StatusError {
  const message =
    target.resource === ''
      ? `forbidden: ${detail}`
      : `${groupResourceText(target)} ${JSON.stringify(shownName(target.name ?? ''))} is forbidden: ${detail}`;
  return new StatusError(403, 'Forbidden', message, {details: details(target, causes)});
}

/** 404: no such object. */
export function notFound(target: ErrorTarget): StatusError {
  const message = `${groupResourceText(target)} ${JSON.stringify(shownName(target.name ?? ''))} not found`;
  return new StatusError(404, 'NotFound', message, {details: details(target)});
}

/** 404: nothing is served at this path. */
export function pathNotFound(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {details: {}});
}

/** 405: the resource exists but does not support this verb. */
export function methodNotAllowed(target: ErrorTarget, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind ${JSON.stringify(groupResourceText(target))}`;
  return new StatusError(405, 'MethodNotAllowed', message, {details: details(target)});
}

/** 406: none of the media types that the client accepts can be produced. */
export function notAcceptable(supported: readonly string[]): StatusError {
  return new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${supported.join(', ')}`);
}

/** 409: an object of that name exists. */
export function alreadyExists(target: ErrorTarget): StatusError {
  const message = `${groupResourceText(target)} ${JSON.stringify(shownName(target.name ?? ''))} already exists`;
  return new StatusError(409, 'AlreadyExists', message, {details: details(target)});
}

/** 409: the object is not in the state that the request requires. */
export function conflict(target: ErrorTarget, detail: string, causes?: StatusCause[]): StatusError {
  const message = `Operation cannot be fulfilled on ${groupResourceText(target)} ${JSON.stringify(shownName(target.name ?? ''))}: ${detail}`;
  return new StatusError(409, 'Conflict', message, {details: details(target, causes)});
}

/** 410: the requested version or token is older than the retained history. */
export function expired(message: string, options?: StatusErrorOptions): StatusError {
  return new StatusError(410, 'Expired', message, options);
}

/**
 * 413: the body, or the object that it would create, is too large.
 *
 * @param detail what is too large, if not the body
 */
export function requestEntityTooLarge(maximumBytes: number, detail = ''): StatusError {
  const message = `Request entity too large: ${detail === '' ? '' : `${detail}: `}limit is ${maximumBytes}`;
  return new StatusError(413, 'RequestEntityTooLarge', message);
}

/** 415: this operation does not accept the body's media type. */
export function unsupportedMediaType(supported: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${supported.join(', ')}`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

/**
 * 422: the object violates the rules of its type. The errors are in the message and, one by one, in the causes. If there are very many,
 * or long ones, only the first are listed and the rest are counted.
 *
 * @param kind the kind, not the resource type, because such messages name the kind
 * @param isPart whether validation stopped early, so that there may be more errors
 */
export function invalidObject(
  kind: {group: string; kind: string},
  name: string,
  faults: readonly FieldError[],
  isPart = false,
): StatusError {
  const reported = reportedFaults(faults);
  const texts = [...new Set(reported.map(fieldErrorText))];
  const more = faults.length - reported.length;
  if (more > 0 || isPart) texts.push(`and ${isPart ? 'at least ' : ''}${more} more`);
  const kindText = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const shown = shownName(name);
  return new StatusError(422, 'Invalid', `${kindText} ${JSON.stringify(shown)} is invalid: ${list}`, {
    details: {
      ...(name ? {name: shown} : {}),
      ...(kind.group ? {group: kind.group} : {}),
      ...(kind.kind ? {kind: kind.kind} : {}),
      causes: reported.map(fieldErrorCause),
    },
  });
}

/** The first errors, as many as a response has room for. */
function reportedFaults(faults: readonly FieldError[]): readonly FieldError[] {
  let room: number = messageLimits.reportedText;
  let count = 0;
  while (count < Math.min(faults.length, messageLimits.reportedFaults) && (count === 0 || room > 0)) {
    const {field, body} = faults[count++]!;
    room -= field.length + body.length;
  }
  return faults.slice(0, count);
}

/** 429: the server is at its limit. `retryAfterSeconds` says when to retry. */
export function tooManyRequests(message: string, retryAfterSeconds = 1): StatusError {
  return new StatusError(429, 'TooManyRequests', message, {details: {retryAfterSeconds}});
}

/** 500: an error of the server, not of the client. The message reveals nothing internal. */
export function internalError(message: string, options?: StatusErrorOptions): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, options);
}

/** 503: a dependency of the server, such as its store, is unavailable. */
export function serviceUnavailable(message: string, retryAfterSeconds = 1, options: StatusErrorOptions = {}): StatusError {
  return new StatusError(503, 'ServiceUnavailable', message, {...options, details: {...options.details, retryAfterSeconds}});
}

/** 504: the operation did not finish in time. */
export function timeout(message: string, retryAfterSeconds?: number, causes?: StatusCause[]): StatusError {
  return new StatusError(504, 'Timeout', `Timeout: ${message}`, {
    details: {...(causes ? {causes} : {}), ...(retryAfterSeconds === undefined ? {} : {retryAfterSeconds})},
  });
}
