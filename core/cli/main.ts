#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=16
import process from 'node:process';
import v8 from 'node:v8';

// How the young generation is collected (docs/decisions/0015).
v8.setFlagsFromString('--no-parallel-scavenge');

// The releases of `engines` in package.json (docs/decisions/0049). Everything else is loaded after this check: older releases fail on the syntax of
// the modules, with a stack trace.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (!((major === 22 && minor >= 20) || major === 24)) {
  process.stderr.write(
    `orch: Node.js 24, or 22 from 22.20 on, is needed, and this is ${process.versions.node}, with which orch is not tested\n`,
  );
  process.exitCode = 1;
} else {
  const {enableCompileCache} = await import('../caches/compile-cache.js');
  enableCompileCache();
  const {run} = await import('./run.js');
  const code = await run(process.argv.slice(2));
  // What a failed start left open must not keep the process; what was printed must get out.
  process.stdout.write('', () => process.exit(code));
}
