import type {ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import type {ConnectRequest, VirtualResource} from '../../../sdk/index.js';
import type {Backend} from './backend.js';
import {redirectToSlash} from './proxy-target.js';
import {forwardRequest} from './reverse-proxy.js';
import {forwardUpgrade, refuseUpgrade} from './upgrade-tunnel.js';

/** A `proxy` subresource: forwards requests to the target of the object. */
export abstract class ObjectProxy implements VirtualResource {
  /** The target of a request. @throws StatusError if the object has none */
  protected abstract backendFor(request: ConnectRequest): Promise<Backend>;

  async connect(request: ConnectRequest, response: ServerResponse): Promise<void> {
    const backend = await this.backendFor(request);
    if (redirectToSlash(request, response)) return;
    await forwardRequest(request, response, backend);
  }

  async upgrade(request: ConnectRequest, socket: Duplex, head: Buffer): Promise<void> {
    try {
      await forwardUpgrade(request, socket, head, await this.backendFor(request));
    } catch (error) {
      refuseUpgrade(socket, error);
    }
  }
}
