#!/usr/bin/env -S node --max-semi-space-size=16
import process from 'node:process';
import v8 from 'node:v8';

// How the young generation is collected (docs/decisions/0015). Before anything is loaded: compiled code is kept for the flags that it was compiled with.
for (const flag of ['--no-allocation-site-pretenuring', '--no-parallel-scavenge']) v8.setFlagsFromString(flag);

// Everything else is loaded after this check: older versions fail on the syntax of the modules, with a stack trace.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 20)) {
  process.stderr.write(`orch: Node.js 22.20 or newer is needed, and this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  const {keepCompiledCode} = await import('../caches/compiled-code.js');
  keepCompiledCode();
  const {run} = await import('./run.js');
  const code = await run(process.argv.slice(2));
  // What a failed start left open must not keep the process; what was printed must get out.
  process.stdout.write('', () => process.exit(code));
}
