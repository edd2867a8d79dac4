import process from 'node:process';
import {KernelError, problemText} from '../../kernel/kernel-error.js';
import {enableCompileCache} from '../../caches/compile-cache.js';
import {checkPlugins} from '../checked-plugins.js';
import {errorText} from '../error-text.js';
import {runServer} from '../run-server.js';
import {serverArguments} from '../server-arguments.js';
import type {Begin, FromServer, ToServer} from './messages.js';

// The process of `orch plugins dev` with the server: a new one for each version of the plugin, since modules cannot be loaded anew. What takes time (loading the server and the
// plugin, and checking it) is done while the server before still runs.

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
    // What the operator must give is checked with the flags.
    KernelError.throwIfAny(problems.filter((fault) => fault.code !== 'CONFIG_INVALID'));
    await import('../../server/create-server.js');
    tell({kind: 'checked'});
    await go.promise;
    const terminal = {out: {write: (line: string) => tell({kind: 'ready', line: line.trimEnd()})}, err: process.stderr, cwd};
    code = await runServer(await serverArguments(args, terminal), terminal);
  } catch (error) {
    tell({kind: 'faults', text: KernelError.is(error) ? error.problems.map(problemText).join('\n') : errorText(error)});
  }
  process.off('disconnect', abandoned);
  // What a failed start left open must not keep the process; what was told must get out.
  if (!process.connected) process.exit(code);
  process.once('disconnect', () => process.exit(code));
  process.disconnect();
}

function tell(message: FromServer): void {
  process.send?.(message);
}
