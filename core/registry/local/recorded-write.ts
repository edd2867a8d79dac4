import {internalError, StatusError, type JsonValue, type UserInfo} from '../../../sdk/index.js';
import {Annotations} from '../audit/annotations.js';
import type {AuditLog} from '../audit/audit-log.js';
import type {WriteContext} from '../request-context.js';
import type {ObjectKey, Resource} from '../resource.js';
import type {ResultObject} from '../result-object.js';
import {toStatusError} from '../store-errors.js';
import {localAttributes} from './local-access.js';

/** A write of code inside the process. */
export interface LocalWrite {
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly user: UserInfo;
  /** The object, or a patch of it. */
  readonly body?: JsonValue;
}

/**
 * Does a write, and audits it like an HTTP request, with the path that one would have.
 *
 * @param work resolves with the response of such a request
 * @throws what the work throws; 500 if a strict sink cannot record it
 */
export async function recordedWrite<T extends {readonly result?: ResultObject; readonly created?: boolean}>(
  audit: AuditLog | undefined,
  write: LocalWrite,
  context: WriteContext,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> {
  const notes = new Annotations();
  const record = audit && begin(audit, write, notes);
  if (!record) return work(context);
  if (!(await record.received())) throw internalError('failed to store audit event');
  record.request(write.body, undefined, write.verb !== 'patch');
  try {
    const outcome = await work({...context, annotate: (key, value, level) => notes.set(key, value, level)});
    await record.answered(outcome.created ? 201 : 200, outcome.result && record.keepsResponses ? [outcome.result.bytes] : undefined);
    return outcome;
  } catch (thrown) {
    const {served} = write.resource;
    const error = toStatusError(thrown, {group: served.type.group, resource: served.type.plural, name: write.key.name});
    if (StatusError.is(error)) record.status(error.toStatus());
    else record.panicked(error);
    await record.answered(StatusError.is(error) ? error.code : 500, undefined);
    throw thrown;
  }
}

function begin(audit: AuditLog, {verb, resource, key, user}: LocalWrite, notes: Annotations) {
  const {subresource} = resource;
  const {type, version} = resource.served;
  const path = [
    type.group === '' ? `/api/${version.name}` : `/apis/${type.group}/${version.name}`,
    ...(type.namespaced && key.namespace !== '' ? ['namespaces', key.namespace] : []),
    type.plural,
    ...(key.name === '' ? [] : [key.name]),
    ...(subresource ? [subresource.name] : []),
  ].join('/');
  const attributes = {...localAttributes(user, verb, resource, key), path};
  const facts = () => ({
    auditID: crypto.randomUUID(),
    requestURI: path,
    sourceIPs: [],
    userAgent: 'in-process',
    receivedAt: performance.now(),
  });
  return audit.begin(attributes, facts, version.name, {annotations: (level) => notes.at(level)});
}
