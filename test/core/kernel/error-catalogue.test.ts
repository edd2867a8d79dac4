import test from 'ava';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {serverErrors} from '../../../core/configuration/error-catalogue.js';
import {errorText, kernelErrors, type KernelErrorCode} from '../../../core/kernel/error-catalogue.js';
import {KernelError, problem, problemText} from '../../../core/kernel/kernel-error.js';
import {packageRoot} from '../../../core/kernel/package-root.js';

test('docs/errors.md lists every code of the kernel and of the server with its message, and no other', (t) => {
  const page = readFileSync(join(packageRoot, 'docs/errors.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([A-Z_]+)` \| (.*?) \| .*\|$/gm)].map(([, code, message]) => [code, message]);
  t.deepEqual(Object.fromEntries(listed), {...kernelErrors, ...serverErrors});
  t.is(listed.length, Object.keys(kernelErrors).length + Object.keys(serverErrors).length);
});

test('placeholders are filled in whatever the values contain', (t) => {
  t.is(errorText(kernelErrors.UNKNOWN_PLUGIN, {name: '$& {hint}', hint: '$1'}), 'there is no plugin $& {hint}; $1');
});

test('a kernel error lists its problems, keeps their causes, and is recognised across copies of the package', (t) => {
  const cause = new Error('inner');
  const first = problem('IMPORT_FAILED', {entry: './x.js', detail: 'inner'}, {plugin: 'x', file: '/x/x.js', cause});
  const second = problem('UNKNOWN_PLUGIN', {name: 'y', hint: 'known are x'});
  t.is(problemText(first), 'plugin x: importing ./x.js failed: inner (/x/x.js)');
  t.is(new KernelError([first]).message, problemText(first));
  const error = new KernelError([first, second]);
  t.is(error.message, '2 problems:\n  - plugin x: importing ./x.js failed: inner (/x/x.js)\n  - there is no plugin y; known are x');
  t.deepEqual(error.errors, [cause]);
  t.is(error.cause, cause);
  t.true(KernelError.is(error));
  t.false(KernelError.is(new Error('other')));
});

test('every code can be made into a problem', (t) => {
  for (const code of Object.keys(kernelErrors) as KernelErrorCode[]) t.is(problem(code, {} as never).code, code);
});
