import test from 'ava';
import {loadFixture, places, problemsOf} from './kernel-fixtures.js';

test('an import that throws is reported with its plugin, and the exception is kept', async (t) => {
  const kernel = await loadFixture('import-throws');
  const problems = await problemsOf(t, () => kernel.construct());
  t.deepEqual(places(problems), ['IMPORT_FAILED explosive - index.js']);
  t.regex(problems[0]!.message, /^importing .\/index.js failed: the module is out of order at .*index.js:\d+:\d+$/);
  t.true(problems[0]!.cause instanceof RangeError);
});

test('an import that never ends is reported with its plugin and the time', async (t) => {
  const kernel = await loadFixture('import-hangs', {timeouts: {importMillis: 50}});
  const problems = await problemsOf(t, () => kernel.construct());
  t.deepEqual(places(problems), ['IMPORT_FAILED endless - index.js']);
  t.is(problems[0]!.message, 'importing ./index.js failed: it has not been loaded after 0.05 s; a top-level await in it may never end');
});

test('a constructor that throws is reported with the exception itself, also when it is that of a dependency', async (t) => {
  const kernel = await loadFixture('constructor-throws');
  const problems = await problemsOf(t, () => kernel.construct());
  t.deepEqual(places(problems), [
    'CONSTRUCTION_FAILED fragile contributes.authorizers[0] plugin.json',
    'CONSTRUCTION_FAILED fragile contributes.authorizers[1] plugin.json',
    'CONSTRUCTION_FAILED fragile contributes.authorizers[2] plugin.json',
    'CONSTRUCTION_FAILED fragile contributes.authorizers[3] plugin.json',
  ]);
  const [direct, indirect, asking, silent] = problems;
  t.is(direct!.message, 'constructing Direct failed: direct');
  t.is(indirect!.message, 'constructing Indirect failed: deep down');
  for (const {cause} of [direct!, indirect!]) {
    t.is((cause as Error).constructor.name, 'FragileError');
    t.is((cause as {code?: string}).code, 'FRAGILE');
  }
  t.regex(asking!.message, /^constructing Asking failed: .*unregistered dependency token: "Symbol\(test\.nobody-offers-this\)"/);
  t.is(silent!.message, 'constructing Silent failed: parameter 2 of its constructor has no @inject');
});

test('contributions that are promised but not delivered are reported, and one that is delivered but not promised', async (t) => {
  const kernel = await loadFixture('not-delivered');
  const problems = await problemsOf(t, () => kernel.construct());
  t.deepEqual(places(problems), [
    'EXPORT_MISSING promising contributes.authenticators[0] plugin.json',
    'DECORATOR_MISSING promising contributes.authenticators[1] plugin.json',
    'DECORATOR_MISMATCH promising contributes.authenticators[2] plugin.json',
    'CONTRIBUTION_UNDECLARED promising contributes plugin.json',
  ]);
  t.deepEqual(
    problems.map((fault) => fault.message),
    [
      'it declares the authenticator Absent, but ./index.js has no such export',
      'it declares the authenticator Plain, but that export is no class decorated with @authenticator',
      'it declares the authenticator Mistaken, but that class is decorated with @authorizer',
      './index.js exports the admission Unannounced, which the manifest does not name',
    ],
  );
});

test('a class without the methods of its kind is reported', async (t) => {
  const kernel = await loadFixture('method-missing');
  const problems = await problemsOf(t, () => kernel.construct());
  t.deepEqual(places(problems), ['METHOD_MISSING mute contributes.admission[0].class plugin.json']);
  t.is(problems[0]!.message, 'the admission Mute has no method admit or validate');
});
