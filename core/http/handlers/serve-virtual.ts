import {
  methodNotAllowed,
  pathNotFound,
  type AdmissionOperation,
  type ApiObject,
  type ConnectRequest,
  type GroupVersionKind,
  type Status,
  type VirtualRequest,
  type VirtualResource,
} from '../../../sdk/index.js';
import type {ObjectSchema} from '../../api/schema/object-schema.js';
import {admissionRequest} from '../../registry/write/admission-request.js';
import {errorTarget} from '../../registry/served-version.js';
import {transientObject} from '../../registry/result-object.js';
import type {WriteContext} from '../../registry/write/write-context.js';
import {readObject} from '../body/object-body.js';
import {sendDocuments} from '../representation/list.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {writeContext} from '../write-options.js';
import {sendStatus} from '../representation/status.js';
import type {ResourceRequest} from './resource-request.js';

/** What a handler serves: a virtual type, or a subresource. */
export interface VirtualTarget {
  readonly handler: VirtualResource;
  /** Kind and schema of the bodies. */
  readonly kind: GroupVersionKind;
  readonly schema: ObjectSchema;
  readonly acceptedVersions: readonly string[];
  readonly connect: boolean;
}

/** Serves a request by a plugin's handler. */
export function serveVirtual(request: ResourceRequest, target: VirtualTarget): Promise<void> {
  if (target.connect) return serveConnect(request, target.handler);
  const {verb} = request.exchange.info;
  if (verb === 'create' || verb === 'update') return serveOperation(request, target);
  if (verb === 'get' && target.handler.get) return serveObject(request, target.handler);
  if (verb === 'list' && target.handler.list) return serveObjects(request, target.handler);
  throw methodNotAllowed(errorTarget(request.served, request.exchange.info.name), verb);
}

async function serveOperation(request: ResourceRequest, target: VirtualTarget): Promise<void> {
  const {exchange, served, services} = request;
  const {handler, schema} = target;
  if (!handler.create) throw methodNotAllowed(errorTarget(served, exchange.info.name), exchange.info.verb);
  const representation = negotiateObject(exchange, target, services.naming);
  const context = writeContext(exchange, 'CreateOptions', services);
  const decode = await readObject(exchange, target, services.naming, context);
  const object = decode();
  schema.applyDefaults(object as never);
  await admit(request, 'CREATE', object, context);
  const answer = await handler.create(object, virtualRequest(request, context.dryRun));
  if (isStatus(answer)) return sendStatus(exchange, {...answer, code: answer.code ?? 201}, services.naming);
  await sendObject(exchange, 201, transientObject(answer), target, representation);
}

/** What an operation answers that has nothing else to say: it is of the kind `Status`, whatever the kind of the body was. */
function isStatus(answer: ApiObject): answer is ApiObject & Status {
  return answer.kind === 'Status' && answer.apiVersion === 'v1';
}

async function admit(
  {exchange, served}: ResourceRequest,
  operation: AdmissionOperation,
  object: ApiObject | undefined,
  context: WriteContext,
): Promise<void> {
  const {namespace, name, subresource} = exchange.info;
  const request = admissionRequest(served, operation, {namespace, name, subresource}, context, object, undefined);
  await served.admission.admit(request);
  await served.admission.validate(request);
}

async function serveObject(request: ResourceRequest, handler: VirtualResource): Promise<void> {
  const {exchange, served, services} = request;
  const representation = negotiateObject(exchange, served.version, services.naming);
  const object = await handler.get!(virtualRequest(request, false));
  await sendObject(exchange, 200, transientObject(object), served.version, representation);
}

async function serveObjects(request: ResourceRequest, handler: VirtualResource): Promise<void> {
  const objects = await handler.list!(virtualRequest(request, false));
  await sendDocuments(request.exchange, objects, request.served.version, request.services.naming);
}

/** The handler has the connection from here on. */
async function serveConnect(request: ResourceRequest, handler: VirtualResource): Promise<void> {
  const {exchange, services} = request;
  await admit(request, 'CONNECT', undefined, writeContext(exchange, 'CreateOptions', services));
  const connect: ConnectRequest = {
    ...virtualRequest(request, false),
    method: exchange.method,
    incoming: exchange.request,
    path: exchange.info.tail,
  };
  if (exchange.upgrade && handler.upgrade) {
    const {socket, head} = exchange.takeConnection();
    return handler.upgrade(connect, socket, head);
  }
  if (!handler.connect) throw pathNotFound();
  await handler.connect(connect, exchange.response);
}

function virtualRequest({exchange, served}: ResourceRequest, dryRun: boolean): VirtualRequest {
  const {namespace, name, subresource} = exchange.info;
  return {
    user: exchange.user,
    namespace,
    name,
    subresource,
    version: served.version.name,
    query: exchange.query,
    dryRun,
    now: new Date(served.clock()),
    signal: exchange.signal,
    warn: (text) => exchange.warn(text),
  };
}
