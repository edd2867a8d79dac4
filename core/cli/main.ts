#!/usr/bin/env -S node --max-semi-space-size=8
import module from 'node:module';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import process from 'node:process';
import v8 from 'node:v8';

// Objects of requests belong in the young generation (docs/decisions/0015). Before anything is loaded: compiled code is kept for the flags that it was compiled with.
v8.setFlagsFromString('--no-allocation-site-pretenuring');

// Everything else is loaded after this check: older versions fail on the syntax of the modules, with a stack trace.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 20)) {
  process.stderr.write(`orch: Node.js 22.20 or newer is needed, and this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  // Keeps compiled code between runs, which saves a fifth of the start. Never in the shared folder for temporary files, which is the
  // default: whoever can write there could put in code of their own.
  const caches = process.env['XDG_CACHE_HOME'];
  module.enableCompileCache?.(join(caches !== undefined && isAbsolute(caches) ? caches : join(homedir(), '.cache'), 'orch', 'compiled'));
  const {run} = await import('./run.js');
  const code = await run(process.argv.slice(2));
  // What a failed start left open must not keep the process; what was printed must get out.
  process.stdout.write('', () => process.exit(code));
}
