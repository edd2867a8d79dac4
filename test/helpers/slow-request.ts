import {request} from 'node:https';
import {text} from 'node:stream/consumers';
import {readServerFile, type TestServer} from '@orch-api/orch/testing';

/** A request whose body has begun to arrive. */
export interface SlowRequest {
  /** Sends the rest and answers the status of the response with its body. */
  finish(): Promise<{readonly status: number; readonly body: string}>;
}

/**
 * Begins a POST with full rights. The server has looked at its head when this resolves, as it says with `100 Continue`.
 *
 * @param body sent as JSON, but for its first byte when the request is finished
 */
export async function slowPost(server: TestServer, path: string, body: object): Promise<SlowRequest> {
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readServerFile(server, 'pki', name)));
  const payload = Buffer.from(JSON.stringify(body));
  const headers = {'content-type': 'application/json', 'content-length': payload.length, expect: '100-continue'};
  const outgoing = request(new URL(path, server.url), {method: 'POST', ca, cert, key, headers});
  const answered = new Promise<{status: number; body: string}>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      text(response).then((content) => resolve({status: response.statusCode ?? 0, body: content}), reject);
    });
  });
  await Promise.race([new Promise((resolve) => outgoing.once('continue', resolve)), answered]);
  outgoing.write(payload.subarray(0, 1));
  return {
    finish() {
      outgoing.end(payload.subarray(1));
      return answered;
    },
  };
}
