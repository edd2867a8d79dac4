import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import {
  badRequest,
  internalError,
  isNotFound,
  pathNotFound,
  StatusError,
  type ApiObject,
  type NodeAgent,
  type ResourceClient,
} from '../../../../sdk/index.js';
import {systemClock} from '../../../../sdk/controllers/index.js';
import type {Node, Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import {podType} from '../names.js';
import {isSimulated} from '../node/node-form.js';
import {Behaviour, type StagedBehaviour} from '../behaviour/behaviour.js';
import {containerLog, containerStatusOf, logOptions} from './container-log.js';
import {isSpdy, isTunnel, isWebSocket, openStreams, spdyProtocolOf, type ContainerStreams} from './stream-socket.js';

export interface KubeletParts {
  readonly resources: ResourceClient;
  /** What Stages say of how a pod behaves. */
  readonly behavioursOf: (pod: Pod) => readonly StagedBehaviour[];
}

/** What is asked of a container. */
interface Question {
  readonly pod: Pod;
  readonly container: string;
  readonly behaviour: Behaviour;
}

/** Answers for the kubelets of all simulated nodes, as kubelets do: what it says follows from the pods alone. */
export class SimulatedKubelet implements NodeAgent {
  readonly #parts: KubeletParts;
  readonly #closing = new AbortController();

  constructor(parts: KubeletParts) {
    this.#parts = parts;
  }

  serves(node: Readonly<ApiObject>): boolean {
    return isSimulated(node as Node);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    void this.#answer(request, response);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    void this.#upgrade(request, socket, head);
  }

  /** Ends what goes on. */
  close(): void {
    this.#closing.abort();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {pathname, searchParams} = new URL(request.url ?? '/', 'http://kubelet');
    try {
      const [operation = '', ...rest] = pathname.split('/').slice(1).map(decodeURIComponent);
      if (operation === 'healthz') return void response.writeHead(200, {'content-type': 'text/plain'}).end('ok');
      if (operation === 'containerLogs') return await this.#log(await this.#question(rest), searchParams, response);
      if (operation === 'exec' || operation === 'attach' || operation === 'portForward') throw badRequest('Upgrade request required');
      throw pathNotFound();
    } catch (error) {
      refuse(response, error);
    }
  }

  async #log(question: Question, query: URLSearchParams, response: ServerResponse): Promise<void> {
    const {resources} = this.#parts;
    const options = logOptions(query, (resources.clock ?? systemClock).now());
    const text = containerLog(question.pod, question.container, said(question), options);
    response.writeHead(200, {'content-type': 'text/plain', 'transfer-encoding': 'chunked'});
    response.flushHeaders();
    response.write(text);
    if (['true', '1'].includes(query.get('follow') ?? ''))
      await this.#untilItEnds(question, new Promise((resolve) => response.once('close', resolve)));
    response.end();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    // Whether the connection speaks something else already.
    let isOver = false;
    const {pathname, searchParams} = new URL(request.url ?? '/', 'http://kubelet');
    try {
      const [operation = '', ...rest] = pathname.split('/').slice(1).map(decodeURIComponent);
      if (operation === 'portForward') return await this.#forward(rest, request, socket, head);
      if (operation !== 'exec' && operation !== 'attach') throw pathNotFound();
      const protocol = spdyProtocolOf(request);
      if (!isWebSocket(request) && protocol === undefined)
        throw badRequest('unable to upgrade: simulated nodes speak v4.channel.k8s.io over SPDY and WebSockets');
      const question = await this.#question(rest);
      if (!containerStatusOf(question.pod, question.container)?.state?.running)
        throw badRequest(`container not found (${JSON.stringify(question.container)})`);
      if (protocol !== undefined) isOver = true;
      const streams = await (protocol === undefined
        ? openStreams(request, socket, head)
        : (await import('./spdy-streams.js')).openSpdyStreams(protocol, searchParams, socket, head));
      if (operation === 'exec') this.#exec(question, searchParams.getAll('command'), streams);
      else await this.#attach(question, streams);
    } catch (error) {
      if (isOver) return void socket.destroy();
      const status = statusError(error).toStatus();
      const body = JSON.stringify(status);
      socket.end(
        `HTTP/1.1 ${status.code} ${status.reason ?? 'Error'}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    }
  }

  async #forward([namespace = '', name = '']: readonly string[], request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const {resources, behavioursOf} = this.#parts;
    if (!isTunnel(request) && !isSpdy(request)) throw badRequest('unable to upgrade: simulated nodes speak SPDY, also through WebSockets');
    const pod = (await resources.get(podType, namespace, name)) as Pod;
    if (pod.status?.phase !== 'Running')
      throw badRequest(`unable to forward port because pod is not running. Current status=${pod.status?.phase}`);
    const said = new Behaviour(pod.metadata.annotations ?? {}, behavioursOf(pod), {}, pod.metadata.uid ?? '').text('serve');
    // Few ports are forwarded: SPDY is loaded for these.
    const {forwardPorts} = await import('./port-forward.js');
    await forwardPorts({request, socket, head}, pod, said);
  }

  #exec({pod, container, behaviour}: Question, command: readonly string[], streams: ContainerStreams): void {
    const words = behaviour.of(container, true, imageOf(pod, container));
    const output = words.text('exec-output');
    const code = words.text('exec-code');
    if (output === undefined)
      streams.error(`pod ${pod.metadata.namespace}/${pod.metadata.name} is simulated: ${JSON.stringify(command.join(' '))} was not run\n`);
    else streams.out(output.endsWith('\n') ? output : `${output}\n`);
    streams.end(code !== undefined && /^\d{1,3}$/.test(code) ? Math.min(Number(code), 255) : 0);
  }

  async #attach(question: Question, streams: ContainerStreams): Promise<void> {
    const options = {previous: false, timestamps: false, tailLines: undefined, limitBytes: undefined, since: undefined};
    streams.out(containerLog(question.pod, question.container, said(question), options));
    await this.#untilItEnds(question, streams.closed);
    streams.end(0);
  }

  /** @throws StatusError 404 */
  async #question([namespace = '', name = '', container = '']: readonly string[]): Promise<Question> {
    const {resources, behavioursOf} = this.#parts;
    const pod = (await resources.get(podType, namespace, name)) as Pod;
    return {pod, container, behaviour: new Behaviour(pod.metadata.annotations ?? {}, behavioursOf(pod), {}, pod.metadata.uid ?? '')};
  }

  /** Resolves when a container does not run any more, or nobody listens. */
  async #untilItEnds({pod, container}: Question, gone: Promise<unknown>): Promise<void> {
    const {namespace = '', name = '', uid} = pod.metadata;
    const ending = new AbortController();
    void gone.then(() => ending.abort());
    const signal = AbortSignal.any([ending.signal, this.#closing.signal]);
    const id = containerStatusOf(pod, container)?.containerID;
    try {
      for await (const {type, object} of this.#parts.resources.watch(podType, namespace, {
        fieldSelector: `metadata.name=${name}`,
        signal,
      })) {
        if (type === 'BOOKMARK') continue;
        const now = object as Pod;
        const status = containerStatusOf(now, container);
        if (type === 'DELETED' || now.metadata.uid !== uid || !status?.state?.running || status.containerID !== id) return;
      }
    } catch (error) {
      // A watch that breaks off ends what follows it: its client comes again.
      if (!StatusError.is(error) && !isNotFound(error)) throw error;
    }
  }
}

/** What a container is said to write. */
function said({behaviour, pod, container}: Question): string | undefined {
  return behaviour.of(container, true, imageOf(pod, container)).text('log');
}

function imageOf({spec = {}}: Pod, container: string): string | undefined {
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
  return all.find(({name}) => name === container)?.image;
}

function statusError(error: unknown): StatusError {
  return StatusError.is(error) ? error : internalError('the simulated kubelet failed', {cause: error});
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const status = statusError(error).toStatus();
  const body = JSON.stringify(status);
  response.writeHead(status.code ?? 500, {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)});
  response.end(body);
}
