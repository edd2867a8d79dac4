import test from 'ava';
import {spawnSync} from 'node:child_process';
import {loadNow, prepareToLoad} from '../../../sdk/plugin/load-now.js';

const module = new URL('../../../sdk/plugin/load-now.js', import.meta.url);
const place = new URL('../../../sdk/labels/index.js', import.meta.url);

test('a module that is loaded in the middle of work is the one that import gives', async (t) => {
  await prepareToLoad([place]);
  const loaded = loadNow(place);
  t.is(loaded, await import(place.href));
});

test('where require makes copies, or cannot load modules at all, what was prepared is what import gives', (t) => {
  const outcomes = ['loaded.exports = {marker: {}, copy: true}', 'throw new SyntaxError("import")'].map((does) => {
    const code = `import Module from 'node:module';
      // As runners of TypeScript do.
      Module._extensions['.js'] = (loaded) => { ${does}; };
      const {loadNow, prepareToLoad} = await import(${JSON.stringify(module.href)});
      const place = new URL(${JSON.stringify(place.href)});
      await prepareToLoad([place]);
      console.log(loadNow(place) === await import(place.href));`;
    const {stdout, stderr} = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {encoding: 'utf8'});
    return stdout || stderr;
  });
  t.deepEqual(outcomes, ['true\n', 'true\n']);
});
