import {Server as HttpServer, ServerResponse} from 'node:http';
import {Server as NetServer, type Socket} from 'node:net';
import {Readable} from 'node:stream';
import test from 'ava';
import {http2Hooks} from '../../../../core/http/node/divert-connections.js';
import {hooks, probeHooks, verifyNode} from '../../../../core/http/node/verify-node.js';
import {whenHeadIsWritten} from '../../../../core/http/node/answer-head.js';

/** Node's private state of a connection. */
interface Inside {
  parser: unknown;
  _handle: {readStop: unknown; writeQueueSize: unknown};
  _paused: unknown;
  destroySoon: unknown;
}

/** Takes what Node assigns. */
const ignore = (): void => {};
const allHooks = [...hooks, ...http2Hooks];
const named = (name: string) => allHooks.filter((hook) => hook.name === name);

test('this release of Node.js does what the server builds on', async (t) => {
  await t.notThrowsAsync(verifyNode());
  await t.notThrowsAsync(verifyNode(http2Hooks));
});

test('each file of the room is probed, and what is probed has a file', async (t) => {
  const {readdir} = await import('node:fs/promises');
  const files = (await readdir('core/http/node')).filter((name) => !/\.d\.ts$|^(?:hook|probe-bench|verify-node)\.ts$/.test(name));
  t.deepEqual(allHooks.map(({name}) => `${name}.ts`).toSorted(), files.toSorted());
});

/** What another release could do, by the hook that has to notice it. Each changes one connection of the probes only. */
const changes: Readonly<Record<string, (socket: Socket & Inside) => void>> = {
  'received-parts': (socket) => {
    Object.defineProperty(socket, 'parser', {get: () => undefined, set: ignore});
  },
  'hold-reading': (socket) => {
    socket._handle.readStop = () => 0;
  },
  'undo-socket-pause': (socket) => {
    Object.defineProperty(socket, '_paused', {get: () => undefined, set: ignore});
  },
  'written-bytes': (socket) => {
    Object.defineProperty(socket._handle, 'writeQueueSize', {value: undefined});
  },
  'last-answer': (socket) => {
    Object.defineProperty(socket, 'destroySoon', {get: () => () => socket.destroy(), set: ignore});
  },
};

for (const [name, change] of Object.entries(changes)) {
  test(`a release in which ${name} no longer works is named, with the hook`, async (t) => {
    const error = await t.throwsAsync(probeHooks(named(name), (socket) => change(socket as Socket & Inside)));
    const text = error?.message ?? '';
    t.true(text.includes(`Node.js ${process.versions.node} does not do what this server builds on`), text);
    t.true(text.includes(`${name} (${named(name)[0]!.claim}): `), text);
  });
}

/** Functions that all connections share: each is put back before anything else runs on it. */
const replaced: Readonly<Record<string, () => () => void>> = {
  'answer-head': () => {
    const {writeHead} = ServerResponse.prototype;
    ServerResponse.prototype.writeHead = function silent(this: ServerResponse, ...parameters: unknown[]) {
      (writeHead as (...all: unknown[]) => unknown).apply(this, parameters);
    } as unknown as typeof writeHead;
    return () => {
      ServerResponse.prototype.writeHead = writeHead;
    };
  },
  'upgrade-response': () => {
    const {assignSocket} = ServerResponse.prototype;
    ServerResponse.prototype.assignSocket = () => undefined;
    return () => {
      ServerResponse.prototype.assignSocket = assignSocket;
    };
  },
  'body-parts': () => {
    const {push} = Readable.prototype;
    const descriptor = {get: () => push, set: ignore, configurable: true};
    Object.defineProperty(Readable.prototype, 'push', descriptor);
    return () => Object.defineProperty(Readable.prototype, 'push', {value: push, writable: true, configurable: true});
  },
  'divert-connections': () => {
    const {removeAllListeners} = HttpServer.prototype;
    HttpServer.prototype.removeAllListeners = function keep(this: HttpServer) {
      return this;
    } as typeof removeAllListeners;
    return () => {
      HttpServer.prototype.removeAllListeners = removeAllListeners;
    };
  },
  'close-listener': () => {
    const {close} = NetServer.prototype;
    // The probe's own call; the end of the bench is another.
    NetServer.prototype.close = function keep(this: NetServer) {
      NetServer.prototype.close = close;
      return this;
    };
    return () => {
      NetServer.prototype.close = close;
    };
  },
};

for (const [name, replace] of Object.entries(replaced)) {
  test.serial(`a release whose ${name} does something else is named, with the hook`, async (t) => {
    const restore = replace();
    try {
      const error = await t.throwsAsync(probeHooks(named(name)));
      t.regex(error?.message ?? '', new RegExp(`: ${name} \\(`));
    } finally {
      restore();
    }
  });
}

test('all that no longer works is named in one error', async (t) => {
  const broken = ['first', 'second'].map((name) => ({
    name,
    claim: 'it works',
    probe: () => {
      throw new Error(`no ${name}`);
    },
  }));
  const error = await t.throwsAsync(probeHooks(broken));
  t.regex(error?.message ?? '', /: first \(it works\): no first; second \(it works\): no second$/);
});

test('the beginning of a response is noticed once, with its code, and writeHead returns the response', (t) => {
  const response = new ServerResponse({method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1} as never);
  const codes: number[] = [];
  whenHeadIsWritten(response, (code) => codes.push(code));
  t.is(response.writeHead(404, {'X-A': 'b'}), response);
  response.end();
  t.deepEqual(codes, [404]);
  t.is(response.getHeader('x-a'), undefined);
});
