// Runs the compiler of TypeScript beside other work. Called by scripts/build.mjs and scripts/console/build-console.mjs.
import {spawn} from 'node:child_process';
import {join} from 'node:path';

/** @returns whether the sources are in order, and all that the compiler says, nothing if they are */
export async function runCompiler(root, argv) {
  const colours = process.stdout.isTTY ? ['--pretty'] : [];
  const tsc = spawn(join(root, 'node_modules/.bin/tsc'), [...argv, ...colours], {stdio: ['ignore', 'pipe', 'pipe']});
  let said = '';
  for (const stream of [tsc.stdout, tsc.stderr]) stream.setEncoding('utf8').on('data', (text) => void (said += text));
  const code = await new Promise((ended, failed) => tsc.once('error', failed).once('close', ended));
  return {isInOrder: code === 0, said};
}
