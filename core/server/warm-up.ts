import {Agent, request} from 'node:https';

/** What the first users of a server ask for. Nothing that is written: webhooks and policies are asked about that, and they are others'. */
const paths = ['/api/v1/namespaces/default', '/api/v1/namespaces/default/configmaps'];
/** What has been called once is compiled; the second time finds what the first one has learned about it. */
const rounds = 2;
/** Milliseconds after which an answer is not waited for. */
const patienceMillis = 1000;

export interface WarmUpOptions {
  /** `https://HOST:PORT`. */
  readonly url: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
  /** Name in the certificate of the server, where that is not its address. */
  readonly serverName?: string | undefined;
  /** Whether somebody else uses the server. */
  isBusy(): boolean;
}

/**
 * Has an idle server answer a few requests of its own, over its own listener: V8 compiles functions when they are first called, and the first user need not wait for that. Ends when
 * somebody comes. Never fails.
 */
export async function warmUp({
  url,
  certificateAuthority: ca,
  certificate: cert,
  key,
  serverName: servername,
  isBusy,
}: WarmUpOptions): Promise<void> {
  const agent = new Agent({ca, cert, key, ...(servername === undefined ? {} : {servername}), keepAlive: true, maxSockets: 1});
  try {
    for (let round = 0; round < rounds; round++)
      for (const path of paths) {
        if (isBusy()) return;
        await ask(agent, url + path);
      }
  } finally {
    agent.destroy();
  }
}

function ask(agent: Agent, url: string): Promise<void> {
  return new Promise((resolve) => {
    const asked = request(url, {agent, headers: {'user-agent': 'orch-warm-up'}, signal: AbortSignal.timeout(patienceMillis)}, (answer) => {
      answer.once('close', resolve).resume();
    });
    asked.once('error', () => resolve()).end();
  });
}
