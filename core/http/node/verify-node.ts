import type {Socket} from 'node:net';
import process from 'node:process';
import {answerHeadHook} from './answer-head.js';
import {bodyPartsHook} from './body-parts.js';
import {closeListenerHook} from './close-listener.js';
import {handedConnectionsHook} from './handed-connections.js';
import {headBytesHook} from './head-bytes.js';
import {holdReadingHook} from './hold-reading.js';
import {lastAnswerHook} from './last-answer.js';
import {listenerHook} from './listener.js';
import type {Hook} from './hook.js';
import {ProbeBench} from './probe-bench.js';
import {receivedPartsHook} from './received-parts.js';
import {undoSocketPauseHook} from './undo-socket-pause.js';
import {upgradeResponseHook} from './upgrade-response.js';
import {writtenBytesHook} from './written-bytes.js';

/** The hooks of this folder without which nothing is served; decision 49 says what each of them is for. The last one ends the listener of the probes. */
export const hooks: readonly Hook[] = [
  answerHeadHook,
  upgradeResponseHook,
  handedConnectionsHook,
  listenerHook,
  writtenBytesHook,
  bodyPartsHook,
  undoSocketPauseHook,
  receivedPartsHook,
  holdReadingHook,
  lastAnswerHook,
  headBytesHook,
  closeListenerHook,
];

/** Milliseconds for what a probe waits for. It takes a few; a machine with much other work may need a thousand times as many. */
const probeMillis = 20_000;

const verified = new Map<readonly Hook[], Promise<void>>();

/**
 * Proves once in a process that Node.js and restify still do what they do not document and this server builds on.
 *
 * @param wanted those of what is served by default, or of what else is
 * @throws Error naming each hook of this folder that no longer works
 */
export function verifyNode(wanted: readonly Hook[] = hooks): Promise<void> {
  let verdict = verified.get(wanted);
  if (!verdict) verified.set(wanted, (verdict = probeHooks(wanted)));
  return verdict;
}

/** @param accepted called with each connection before a hook sees it */
export async function probeHooks(probed: readonly Hook[], accepted?: (socket: Socket) => void): Promise<void> {
  const bench = await ProbeBench.open(accepted);
  const problems: string[] = [];
  try {
    for (const hook of probed) {
      const problem = await problemOf(hook, bench);
      if (problem !== undefined) problems.push(`${hook.name} (${hook.claim}): ${problem}`);
    }
  } finally {
    bench.close();
  }
  if (problems.length === 0) return;
  throw new Error(
    `Node.js ${process.versions.node} does not do what this server builds on, so that its bounds would not hold: ${problems.join('; ')}`,
  );
}

async function problemOf(hook: Hook, bench: ProbeBench): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, probeMillis, 'what it waits for does not come');
  });
  const probing = (async () => hook.probe(bench))().then(
    () => undefined,
    (error: Error) => error.message,
  );
  try {
    return await Promise.race([probing, late]);
  } finally {
    clearTimeout(timer);
  }
}
