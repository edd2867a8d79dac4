import process from 'node:process';
import {KernelError, problemText} from '../../kernel/kernel-error.js';
import {enableCompileCache} from '../../caches/compile-cache.js';
import {checkPlugins} from '../checked-plugins.js';
import {errorText} from '../error-text.js';
import {runServer} from '../run-server.js';
import {serverArguments} from '../server-arguments.js';
import type {Begin, FromServer, ToServer} from './messages.js';

// The server process of `orch plugins dev`: a new one for each version of the plugin, since modules cannot be reloaded. The server and the plugin are loaded and checked
// while the previous server still runs.

enableCompileCache();
const go = Promise.withResolvers<void>();
process.on('message', (message: ToServer) => {
  if (message.kind === 'go') go.resolve();
  else void serve(message);
});
// Nobody would ever stop it.
const abandoned = () => process.kill(process.pid, 'SIGTERM');
process.once('disconnect', abandoned);

async function serve({plugin, args, cwd}: Begin): Promise<void> {
  let code = 1;
  try {
    const {problems} = await checkPlugins({references: [plugin], cwd, importCode: true});
    // Settings that the operator must give are checked with the flags.
    KernelError.throwIfAny(problems.filter((fault) => fault.code !== 'CONFIG_INVALID'));
    await import('../../server/create-server.js');
    send({kind: 'checked'});
    await go.promise;
    const terminal = {out: {write: (line: string) => send({kind: 'ready', line: line.trimEnd()})}, err: process.stderr, cwd};
    code = await runServer(await serverArguments(args, terminal), terminal);
  } catch (error) {
    send({kind: 'faults', text: KernelError.is(error) ? error.problems.map(problemText).join('\n') : errorText(error)});
  }
  process.off('disconnect', abandoned);
  // Exit even if a failed start left something open, but only after the messages have been sent.
  if (!process.connected) process.exit(code);
  process.once('disconnect', () => process.exit(code));
  process.disconnect();
}

function send(message: FromServer): void {
  process.send?.(message);
}
