import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';

/** `orch serve` of the package in `folder`, until it is ready. @throws as `startAndStop` */
export function serve(folder, env, argv) {
  return startAndStop(join(folder, 'node_modules/.bin/orch'), argv, {folder, env});
}

/** Starts a server in `folder` and stops it once it is ready. @throws Error with what it wrote if it ends before that */
export async function startAndStop(program, argv, {folder, env}) {
  const server = spawn(program, argv, {cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe']});
  let output = '';
  const ready = new Promise((resolve, reject) => {
    const take = (chunk) => {
      output += chunk;
      if (/^ready /m.test(output)) resolve();
    };
    server.stdout.on('data', take);
    server.stderr.on('data', take);
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`${program} ended with ${code}\n${output}`)));
  });
  const limit = setTimeout(() => server.kill('SIGKILL'), 60_000);
  try {
    await ready;
    server.kill('SIGTERM');
    const [code] = await once(server, 'exit');
    if (code !== 0) throw new Error(`${program} ended with ${code} after SIGTERM\n${output}`);
  } finally {
    clearTimeout(limit);
  }
}
