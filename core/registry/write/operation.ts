import {badRequest, type ApiObject, type JsonObject, type Status, type VirtualRequest, type VirtualResource} from '../../../sdk/index.js';
import {transientObject, type WriteResult} from '../result-object.js';
import type {ObjectTarget, ServedVersion} from '../served-version.js';
import {WriteRequest} from './admission-request.js';
import {connectionOptions, connectionTarget, type ConnectionTarget} from './connection-options.js';
import {readObject, type DecodeTarget} from './decode-object.js';
import type {Write} from './pipeline.js';
import type {BodySource, RequestContext} from '../request-context.js';
import type {WriteScope} from './write-scope.js';

const emptyQuery = new URLSearchParams();
const never = new AbortController().signal;

/** The context of a request as handlers see it. */
export function virtualRequest(
  served: ServedVersion,
  target: ObjectTarget,
  context: RequestContext & {readonly dryRun?: boolean},
): VirtualRequest {
  return {
    user: context.user,
    ...target,
    version: served.version.name,
    query: context.query ?? emptyQuery,
    dryRun: context.dryRun ?? false,
    now: new Date(served.clock()),
    signal: context.cancellation?.() ?? never,
    warn: (text) => context.warn(text),
    annotate: (key, value) => context.annotate(key, value),
  };
}

/** Passes an object to a plugin's handler, which carries out the operation that it represents. */
export class Operation implements Write<WriteResult> {
  object!: ApiObject;
  readonly admission: WriteRequest;
  readonly #handler: VirtualResource;
  readonly #shape: DecodeTarget;
  readonly #body: BodySource;

  constructor(
    readonly scope: WriteScope,
    handler: VirtualResource,
    shape: DecodeTarget,
    body: BodySource,
  ) {
    this.#handler = handler;
    this.#shape = shape;
    this.#body = body;
    this.admission = new WriteRequest('CREATE', {...scope, kind: shape.kind}, this);
  }

  async makeObject(): Promise<void> {
    const {served, target, context} = this.scope;
    this.object = await readObject(this.#body, this.#shape, context);
    const {namespace} = this.object.metadata;
    if (served.type.namespaced && namespace && namespace !== target.namespace)
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }

  applyDefaults(): void {
    this.#shape.schema.applyDefaults(this.object as unknown as JsonObject);
  }

  async commit(): Promise<WriteResult> {
    const {served, target, context} = this.scope;
    // The handler writes as its plugin, so a caller that may not write is stopped here.
    context.guard?.of(served.type.plural, '');
    const answer = await this.#handler.create!(this.object, virtualRequest(served, target, context));
    return {result: transientObject(answer), created: true, ...(isStatus(answer) ? {status: answer} : {})};
  }
}

/** The response of an operation with no other result: a `Status`, whatever the kind of the body was. */
function isStatus(answer: ApiObject): answer is ApiObject & Status {
  return answer.kind === 'Status' && answer.apiVersion === 'v1';
}

/** Passes a connection to a plugin's handler (exec, proxy). Its object is the options of the connection. */
export class Connection implements Write<void> {
  object!: ApiObject;
  readonly admission: WriteRequest;
  readonly #shape: DecodeTarget;
  readonly #path: string;
  readonly #serve: (target: ConnectionTarget) => void | Promise<void>;
  #asked!: ApiObject;

  /**
   * @param path the rest of the path after the subresource
   * @param serve takes over the connection, once admitted, with what admission has made of its options
   */
  constructor(
    readonly scope: WriteScope,
    shape: DecodeTarget,
    path: string,
    serve: (target: ConnectionTarget) => void | Promise<void>,
  ) {
    this.#shape = shape;
    this.#path = path;
    this.#serve = serve;
    this.admission = new WriteRequest('CONNECT', {...scope, kind: shape.kind}, this);
  }

  makeObject(): void {
    this.object = connectionOptions(this.#shape, this.scope.context.query ?? emptyQuery, this.#path);
    this.#asked = this.object;
  }

  async commit(): Promise<void> {
    const asked = {query: this.scope.context.query ?? emptyQuery, path: this.#path};
    await this.#serve(this.object === this.#asked ? asked : connectionTarget(this.#shape, asked, this.#asked, this.object));
  }
}
