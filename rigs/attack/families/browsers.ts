import {randomBytes} from 'node:crypto';
import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';

/** Pages that the server knows nothing of; some are of the user's own machine, where others have accounts too. */
const foreign = [
  'https://evil.example.com',
  'null',
  'http://localhost:9999',
  'http://127.0.0.1:9999',
  'https://[::1]:9999',
  'http://ui.localhost',
  'http://orch',
  'https://orch:8443',
  'https://orch.evil.example.com',
];

const body = '{"metadata":{"generateName":"page-"}}';
const maps = (attacker: Attacker) => attacker.path('configmaps');

/** Requests with the certificate of the browser's user, by pages. What gets more than a refusal is a fault. */
const pages = (name: string, refusal: number, requests: (attacker: Attacker) => readonly Buffer[]): Attack => ({
  name,
  outcomes: [refusal],
  async run(attacker) {
    const bytes = requests(attacker);
    await attacker.repeat(bytes.length, 4, async (number) => {
      const connection = await attacker.open({user: 'tenant'});
      const answer = await connection?.ask(bytes[number]!).catch(() => undefined);
      if (answer && answer.status < 300)
        attacker.tally.fault(`a page was answered ${answer.status}: ${bytes[number]!.toString('latin1', 0, 200)}`);
      connection?.close();
    });
  },
});

export const browsers = family('browsers', [
  pages('write-from-foreign-pages', 403, (attacker) =>
    foreign.flatMap((origin) =>
      (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
        requestText(method, method === 'POST' ? maps(attacker) : `${maps(attacker)}/kube-root-ca.crt`, {
          headers: [`Origin: ${origin}`],
          type: method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
          body,
        }),
      ),
    ),
  ),
  pages('forwarded-from-elsewhere', 403, (attacker) =>
    ['10.0.0.1', '127.0.0.1, 10.0.0.1', '10.0.0.1, 127.0.0.1', '::1.example.com', ''].map((address) =>
      requestText('POST', maps(attacker), {headers: ['Origin: http://localhost:9999', `X-Forwarded-For: ${address}`], body}),
    ),
  ),
  pages('bodies-without-a-type', 415, (attacker) =>
    ['Origin: https://orch', 'Origin: https://evil.example.com\r\nAuthorization: Bearer x'].flatMap((headers) =>
      ['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'].map((type) =>
        requestText('POST', maps(attacker), {headers: [headers], type, body}),
      ),
    ),
  ),
  pages('websockets-of-foreign-pages', 403, (attacker) =>
    foreign.flatMap((origin) =>
      [`${maps(attacker)}?watch=1`, `${attacker.path('pods')}/p/exec?command=x&stdout=1`, `${attacker.path('pods')}/p/attach`].map((path) =>
        requestText('GET', path, {
          headers: [
            `Origin: ${origin}`,
            'Connection: Upgrade',
            'Upgrade: websocket',
            'Sec-WebSocket-Version: 13',
            'Sec-WebSocket-Protocol: v4.channel.k8s.io',
            `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
          ],
        }),
      ),
    ),
  ),
]);
