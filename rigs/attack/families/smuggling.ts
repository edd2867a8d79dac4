import {setTimeout as sleep} from 'node:timers/promises';
import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import type {Outcome} from '../client/outcome.js';

/** Bytes that two readers of HTTP may understand in two ways. */
interface Shape {
  readonly name: string;
  readonly bytes: (attacker: Attacker) => string;
  /** What may come back. Other answers mean that a request was seen that was none. */
  readonly only: readonly Outcome[];
  /** Most answers to one such text. */
  readonly answers?: number;
}

/** The request that must never be seen, as nobody sent it: it would answer 201. */
const hidden = (attacker: Attacker) =>
  `POST ${attacker.path('configmaps')} HTTP/1.1\r\nHost: orch\r\nContent-Type: application/json\r\nContent-Length: 41\r\n\r\n{"metadata":{"generateName":"smuggled-"}}`;
const post = (attacker: Attacker, ...lines: string[]) =>
  `POST ${attacker.path('configmaps')} HTTP/1.1\r\nHost: orch\r\nContent-Type: application/json\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
const get = (line: string, ...lines: string[]) => `${line}\r\n${lines.map((text) => `${text}\r\n`).join('')}\r\n`;

const shapes: readonly Shape[] = [
  {
    name: 'length-and-chunks',
    bytes: (a) => `${post(a, 'Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden(a)}`,
    only: [400, 'cut'],
  },
  {
    name: 'chunks-and-length',
    bytes: (a) => `${post(a, 'Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\n${hidden(a)}`,
    only: [400, 'cut'],
  },
  {name: 'two-lengths', bytes: (a) => `${post(a, 'Content-Length: 0', 'Content-Length: 500')}${hidden(a)}`, only: [400, 'cut']},
  {name: 'list-of-lengths', bytes: (a) => `${post(a, 'Content-Length: 0, 0')}${hidden(a)}`, only: [400, 'cut']},
  {name: 'signed-length', bytes: (a) => `${post(a, 'Content-Length: +0')}${hidden(a)}`, only: [400, 'cut']},
  {name: 'negative-length', bytes: (a) => `${post(a, 'Content-Length: -1')}${hidden(a)}`, only: [400, 'cut']},
  {name: 'length-of-64-bits', bytes: (a) => `${post(a, 'Content-Length: 18446744073709551616')}${hidden(a)}`, only: [400, 413, 'cut']},
  {name: 'hexadecimal-length', bytes: (a) => `${post(a, 'Content-Length: 0x0')}${hidden(a)}`, only: [400, 'cut']},
  {name: 'unknown-coding', bytes: (a) => `${post(a, 'Transfer-Encoding: xchunked')}0\r\n\r\n${hidden(a)}`, only: [400, 'cut']},
  {
    name: 'chunked-twice',
    bytes: (a) => `${post(a, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden(a)}`,
    only: [400, 'cut'],
  },
  {name: 'chunked-not-last', bytes: (a) => `${post(a, 'Transfer-Encoding: chunked, gzip')}0\r\n\r\n${hidden(a)}`, only: [400, 'cut']},
  {name: 'blank-before-colon', bytes: (a) => `${post(a, 'Content-Length : 0')}${hidden(a)}`, only: [400, 'cut']},
  {name: 'folded-coding', bytes: (a) => `${post(a, 'Transfer-Encoding:\r\n chunked')}0\r\n\r\n${hidden(a)}`, only: [400, 'cut']},
  {name: 'bare-line-feeds', bytes: (a) => `GET /readyz HTTP/1.1\nHost: orch\n\n${hidden(a)}`, only: [400, 'cut']},
  {name: 'bare-carriage-returns', bytes: (a) => `GET /readyz HTTP/1.1\rHost: orch\r\r${hidden(a)}`, only: [400, 'cut']},
  {name: 'null-in-header', bytes: () => get('GET /readyz HTTP/1.1', 'Host: orch', 'X: a\u0000b'), only: [400, 'cut']},
  {name: 'control-in-path', bytes: () => get('GET /readyz\u0001 HTTP/1.1', 'Host: orch'), only: [400, 403, 404, 'cut']},
  {name: 'bytes-above-127-in-path', bytes: () => get('GET /readyz\u00ff HTTP/1.1', 'Host: orch'), only: [400, 403, 404, 'cut']},
  {
    name: 'chunk-size-overflow',
    bytes: (a) => `${post(a, 'Transfer-Encoding: chunked')}fffffffffffffffff\r\n${hidden(a)}`,
    only: [400, 413, 'cut'],
  },
  {name: 'chunk-size-negative', bytes: (a) => `${post(a, 'Transfer-Encoding: chunked')}-1\r\n${hidden(a)}`, only: [400, 'cut']},
  {
    name: 'chunk-without-end',
    bytes: (a) => `${post(a, 'Transfer-Encoding: chunked')}2\r\n{}X\r\n0\r\n\r\n${hidden(a)}`,
    only: [400, 'cut'],
  },
  {
    name: 'chunk-with-line-feed',
    bytes: (a) => `${post(a, 'Transfer-Encoding: chunked')}2\n{}\n0\n\n${hidden(a)}`,
    only: [400, 'cut', 'held'],
  },
  {name: 'absolute-form', bytes: () => get('GET https://elsewhere.example/readyz HTTP/1.1', 'Host: orch'), only: [200, 400], answers: 1},
  {name: 'absolute-form-of-nothing', bytes: () => get('GET https:// HTTP/1.1', 'Host: orch'), only: [400, 403, 404, 'cut'], answers: 1},
  {name: 'authority-form', bytes: () => get('GET orch:443 HTTP/1.1', 'Host: orch'), only: [400, 403, 404, 'cut'], answers: 1},
  {name: 'asterisk-form', bytes: () => get('GET * HTTP/1.1', 'Host: orch'), only: [400, 403, 404, 405, 'cut'], answers: 1},
  {
    name: 'connect',
    bytes: (a) => `${get('CONNECT 127.0.0.1:22 HTTP/1.1', 'Host: orch')}${hidden(a)}`,
    only: [400, 403, 404, 405, 'cut'],
    answers: 1,
  },
  {name: 'trace', bytes: () => get('TRACE / HTTP/1.1', 'Host: orch'), only: [400, 403, 405, 404, 'cut'], answers: 1},
  {name: 'http-0.9', bytes: () => 'GET /readyz\r\n\r\n', only: [400, 505, 'cut'], answers: 1},
  {name: 'http-1.0', bytes: () => get('GET /readyz HTTP/1.0', 'Connection: keep-alive'), only: [200, 'cut', 400], answers: 1},
  {name: 'http-2.0', bytes: () => get('GET /readyz HTTP/2.0', 'Host: orch'), only: [400, 505, 'cut'], answers: 1},
  {name: 'http-preface', bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', only: [400, 'cut']},
  {name: 'no-host', bytes: () => get('GET /readyz HTTP/1.1'), only: [400], answers: 1},
  {name: 'two-hosts', bytes: () => get('GET /readyz HTTP/1.1', 'Host: orch', 'Host: other'), only: [400], answers: 1},
  {name: 'lower-case-method', bytes: () => get('get /readyz HTTP/1.1', 'Host: orch'), only: [400, 'cut']},
  {name: 'long-method', bytes: () => get(`${'G'.repeat(10_000)} /readyz HTTP/1.1`, 'Host: orch'), only: [400, 'cut', 431]},
  {
    name: 'upgrade-to-http2',
    bytes: (a) =>
      `${get('GET /readyz HTTP/1.1', 'Host: orch', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__')}${hidden(a)}`,
    only: [200, 400, 'cut'],
    answers: 1,
  },
  {
    name: 'upgrade-with-body',
    bytes: (a) => `${post(a, 'Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 0')}${hidden(a)}`,
    only: [400, 403, 405, 415, 422, 'cut'],
    answers: 1,
  },
  {
    name: 'upgrade-unknown',
    bytes: (a) =>
      `${get(`GET ${a.path('configmaps')} HTTP/1.1`, 'Host: orch', 'Connection: Upgrade', 'Upgrade: carrier-pigeon')}${hidden(a)}`,
    only: [200, 400, 'cut'],
    answers: 1,
  },
  {
    name: 'length-of-head',
    bytes: (a) => `${get('HEAD /readyz HTTP/1.1', 'Host: orch', 'Content-Length: 500')}${hidden(a)}`,
    only: [200, 'cut', 400, 'held'],
    answers: 1,
  },
  {name: 'dot-segments', bytes: () => get('GET /readyz/../api/v1/secrets HTTP/1.1', 'Host: orch'), only: [400, 403, 404], answers: 1},
  {name: 'encoded-slashes', bytes: () => get('GET /api%2fv1%2fsecrets HTTP/1.1', 'Host: orch'), only: [400, 403, 404], answers: 1},
];

function smuggle({name, bytes, only, answers = Infinity}: Shape): Attack {
  return {
    name,
    outcomes: only,
    seconds: 0.7,
    async run(attacker) {
      await attacker.repeat(20, 10, async () => {
        let seen = 0;
        const connection = await attacker.open({
          user: name === 'no-host' ? 'anonymous' : 'tenant',
          bodiless: name === 'length-of-head',
          onResponse: ({status, body}) => {
            seen++;
            if (!only.includes(status) || seen > answers)
              attacker.tally.fault(`read a request that nobody sent: ${status} ${body.toString().slice(0, 200)}`);
          },
        });
        if (!connection) return;
        connection.write(bytes(attacker));
        await Promise.race([new Promise((resolve) => connection.socket.once('close', resolve)), sleep(300)]);
        if (!connection.isClosed && !connection.isAnswered) attacker.tally.add('held');
        connection.close();
      });
    },
  };
}

export const smuggling = family('smuggling', shapes.map(smuggle), {storeless: true});
