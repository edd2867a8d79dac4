// What scripts/try-package.mjs does with the installed package. A trial gets an empty folder inside a project that has the package, and throws
// when something is not as it should be.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

const library = `
import {startTestServer} from 'orch/testing';
import {types} from 'orch/client';

const server = await startTestServer();
const maps = server.api.resource(types.core.v1.ConfigMap, 'default');
await maps.create({metadata: {name: 'colours'}, data: {sky: 'blue'}});
const {data} = await maps.get('colours');
await server.stop();
console.log(data.sky);
`;

export const trials = [
  {
    name: 'command',
    async run({run}) {
      const shown = run('npx', ['orch', 'version']);
      if (!/\d+\.\d+\.\d+/.test(shown)) throw new Error(`orch version says ${shown}`);
      run('npx', ['orch', 'plugins', 'check']);
    },
  },
  {
    name: 'library',
    async run({folder, run}) {
      writeFileSync(join(folder, 'main.js'), library);
      writeFileSync(join(folder, 'package.json'), '{"type": "module"}\n');
      const said = run('node', ['main.js']);
      if (said !== 'blue\n') throw new Error(`the library says ${said}`);
    },
  },
];
