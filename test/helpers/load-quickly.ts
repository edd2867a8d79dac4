import {registerHooks} from 'node:module';

const root = new URL('../../', import.meta.url).href;
const fixtures = new URL('test/fixtures/', root).href;

// Node looks for a package.json in every folder above each of the thousand modules of a server, and reads the source map of each: a quarter of
// what a small test file takes. The compiled tree needs neither, and every test file is a process of its own.
registerHooks({
  resolve: (wanted, context, next) => {
    const parent = context.parentURL;
    if (!wanted.startsWith('.') || !wanted.endsWith('.js') || !parent?.startsWith(root) || parent.startsWith(fixtures))
      return next(wanted, context);
    return {url: new URL(wanted, parent).href, format: 'module', shortCircuit: true};
  },
});
if (process.env.ORCH_TEST_SOURCE_MAPS === 'no') process.setSourceMapsEnabled(false);
