import type {IncomingMessage} from 'node:http';
import {readBody} from './http-exchange.js';
import {jsonText, parseJson} from '../values/json-text.js';
import type {PlatformNames} from './platform.js';
import {responseError} from './response-error.js';
import type {Transport} from './transport.js';

export interface ApiRequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Media type of the body; JSON by default. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** Requests whose responses are objects, and whose failures are `StatusError`s. */
export class ApiRequests {
  constructor(
    readonly transport: Transport,
    readonly platform: PlatformNames,
  ) {}

  /** @throws StatusError unless the response is a success */
  async bytes(method: string, path: string, options: ApiRequestOptions = {}): Promise<Buffer> {
    const {body, contentType = 'application/json', accept, signal} = options;
    const response = await this.transport.request({
      method,
      path,
      headers: {...(accept === undefined ? {} : {accept}), ...(body === undefined ? {} : {'content-type': contentType})},
      ...(body === undefined ? {} : {body: jsonText(body)}),
      ...(signal ? {signal} : {}),
    });
    if (response.status < 200 || response.status > 299) throw responseError(response.status, response.body);
    return response.body;
  }

  /** The object in the response. @throws StatusError; SyntaxError if a successful response is not JSON */
  async json<T>(method: string, path: string, options?: ApiRequestOptions): Promise<T> {
    const body = await this.bytes(method, path, options);
    return parseJson(body.toString('utf8')) as T;
  }

  /** A streaming response. @throws StatusError */
  async stream(path: string, signal: AbortSignal | undefined): Promise<IncomingMessage> {
    const {status, response} = await this.transport.stream({method: 'GET', path, ...(signal ? {signal} : {})});
    if (status === 200) return response;
    throw responseError(status, await readBody(this.transport.server, response, signal));
  }
}
