import type {Socket} from 'node:net';
import process from 'node:process';
import type {Server} from '../../server/create-server.js';
import type {WorkerPlace} from '../../workers/worker-place.js';
import {bugText} from '../error-text.js';
import {IdleMemory, ownProcess} from '../idle-memory.js';
import {allocateYoung, serverLogger} from '../run-server.js';
import {serverArguments} from '../server-arguments.js';
import {processTerminal} from '../terminal.js';
import type {FromChild, MetricsForm, ProcessText, StartWorker, ToChild} from './messages.js';

/** Milliseconds that clients of a replaced worker have to connect elsewhere. */
const retireMillis = 10_000;

/** Runs a worker until the supervisor ends it. */
export async function runWorker(start: StartWorker): Promise<void> {
  const {args, number} = start;
  const terminal = processTerminal();
  const {options, log} = await serverArguments(args, terminal);
  const {logger, unfiltered} = await serverLogger(log, terminal, {base: {worker: number}});
  const ended = Promise.withResolvers<'retire' | 'stop'>();
  const cancel = new AbortController();
  let asked: 'retire' | 'stop' | undefined;
  const connections = new HandedConnections(start.port);
  const others = new OtherWorkers();
  const late: {server?: Server} = {};
  process.on('message', (message: ToChild, socket?: Socket) => {
    if (message.kind === 'connection') return connections.take(socket);
    if (message.kind === 'metrics-of-others') return others.received(message.id, message.texts);
    if (message.kind === 'report-metrics') return void reportMetrics(late.server, message);
    if (message.kind !== 'retire' && message.kind !== 'stop') return;
    asked ??= message.kind;
    cancel.abort(new Error('the server is stopped'));
    ended.resolve(asked);
  });
  const {createServer} = await import('../../server/create-server.js');
  const {withPlugin} = await import('../../workers/hand-on-store.js');
  allocateYoung();
  const place: WorkerPlace = {
    number,
    workers: start.workers,
    connections,
    ticketKeys: Buffer.from(start.ticketKeys, 'base64'),
    remains: () => asked !== 'stop',
    texts: (form) => others.texts(form),
  };
  const server = await createServer(
    {...(start.store === undefined ? options : {...withPlugin(options), store: start.store}), logger: unfiltered},
    place,
  );
  late.server = server;
  process.on('uncaughtException', (error) => {
    if (server.contain(error)) return;
    logger.error({err: error}, 'the worker ends because of an error that nothing caught');
    process.stderr.write(`orch: ${bugText(error)}\n`);
    process.exit(1);
  });
  try {
    await server.start(cancel.signal);
  } catch (error) {
    if (asked) return;
    throw error;
  }
  send({kind: 'ready', url: server.url, kubeconfig: server.kubeconfig});
  const memory = new IdleMemory(ownProcess());
  memory.start();
  const how = await ended.promise;
  memory.stop();
  logger.info({}, how === 'retire' ? 'another worker takes this one’s place' : 'stopping');
  await (how === 'retire' ? server.retire(retireMillis) : server.stop());
  logger.info({}, 'stopped');
}

async function reportMetrics(server: Server | undefined, {id, form}: {readonly id: number; readonly form: MetricsForm}): Promise<void> {
  if (server) send({kind: 'metrics', id, text: await server.metricsText(form)});
}

/** Gets the metrics of the other workers from the supervisor. */
class OtherWorkers {
  readonly #waiting = new Map<number, (texts: readonly ProcessText[]) => void>();
  #next = 1;

  texts(form: MetricsForm): Promise<readonly ProcessText[]> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      send({kind: 'ask-metrics', id, form});
    });
  }

  received(id: number, texts: readonly ProcessText[]): void {
    this.#waiting.get(id)?.(texts);
    this.#waiting.delete(id);
  }
}

/** Connections from the supervisor. Reports how many have closed, since the next one goes to the worker with the fewest. */
class HandedConnections {
  readonly port: number;
  #accept: ((socket: Socket) => void) | undefined;
  #closed = 0;

  constructor(port: number) {
    this.port = port;
  }

  start(accept: (socket: Socket) => void): void {
    this.#accept = accept;
  }

  take(socket: Socket | undefined): void {
    // The client was gone before it was handed on.
    if (!socket) return this.#gone();
    socket.once('close', () => this.#gone());
    if (this.#accept) this.#accept(socket);
    else socket.destroy();
  }

  #gone(): void {
    if (this.#closed++ > 0) return;
    setImmediate(() => {
      send({kind: 'closed', count: this.#closed});
      this.#closed = 0;
    });
  }
}

function send(message: FromChild): void {
  if (process.connected) process.send!(message);
}
