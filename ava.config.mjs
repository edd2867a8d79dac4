// ORCH_OUT names the folder that `scripts/build.mjs --out` wrote to.
const out = process.env.ORCH_OUT ?? 'dist';

export default {
  files: [`${out}/test/**/*.test.js`, `${out}/rigs/**/*.test.js`],
  require: ['load-quickly', 'record-usage'].map((name) => `./${out}/test/helpers/${name}.js`),
  // The compiled tree is the only input; sources are compiled by scripts/build.mjs.
  watchMode: {ignoreChanges: ['**/*.ts']},
  // For how long nothing may happen. ava looks once, when that is over: with a `t.timeout` that is longer it may wait for ever.
  timeout: '8m',
  workerThreads: false,
  failWithoutAssertions: true,
};
