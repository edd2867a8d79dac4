#!/usr/bin/env node
import module from 'node:module';
import process from 'node:process';

// Everything else is loaded after this check: older versions fail on the syntax of the modules, with a stack trace.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 20)) {
  process.stderr.write(`orch: Node.js 22.20 or newer is needed, and this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  // Keeps compiled code between runs (in the system's folder for temporary files): the modules load in half of the time.
  module.enableCompileCache?.();
  const {run} = await import('./run.js');
  const code = await run(process.argv.slice(2));
  // What a failed start left open must not keep the process; what was printed must get out.
  process.stdout.write('', () => process.exit(code));
}
