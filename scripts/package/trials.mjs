// What scripts/try-package.mjs does with the installed package. A trial gets an empty folder inside a project that has the package, and throws
// when something is not as it should be.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {documentationTrial} from './documentation-trial.mjs';
import {examplesTrial} from './examples-trial.mjs';
import {runnersTrial} from './runners-trial.mjs';
import {serve, startAndStop} from './serve.mjs';

const library = `
import {startTestServer} from '@orch-api/orch/testing';
import {types} from '@orch-api/orch/client';

const server = await startTestServer();
const maps = server.api.resource(types.core.v1.ConfigMap, 'default');
await maps.create({metadata: {name: 'colours'}, data: {sky: 'blue'}});
const {data} = await maps.get('colours');
await server.stop();
console.log(data.sky);
`;

const kinds = ['resource', 'admission', 'authenticator', 'authorizer', 'controller', 'store', 'webhook-caller', 'route', 'server'];

/** A new plugin, as its README says: installed, tested, checked, served. */
function scaffold(kind, language) {
  return {
    name: `new ${kind} ${language}`,
    async run({folder, tarball, run, install, base, env}) {
      const name = `my-${kind}s`;
      const flags = ['--kind', kind, `--${language}`, '--group', 'things.example.org', '--orch', `file:${tarball}`, '--dir', '.'];
      run(join(base, 'node_modules/.bin/orch'), ['plugins', 'new', name, ...flags]);
      install(folder);
      run('npm', ['test', '--silent']);
      run('npx', ['--no', 'orch', 'plugins', 'check', '.']);
      const store = kind === 'store' ? name : 'memory';
      await serve(folder, env, ['serve', '--plugin', '.', '--data-dir', '.data', '--secure-port', '0', '--store', store]);
    },
  };
}

export const trials = [
  {
    name: 'command',
    async run({folder, run, env}) {
      const shown = run('npx', ['--no', 'orch', 'version']);
      if (!/\d+\.\d+\.\d+/.test(shown)) throw new Error(`orch version says ${shown}`);
      run('npx', ['--no', 'orch', 'plugins', 'check']);
      const assets = join(folder, 'assets');
      run('npx', ['--no', 'orch', 'envtest', assets]);
      run(join(assets, 'etcd'), ['--version']);
      await startAndStop(join(assets, 'kube-apiserver'), ['--secure-port', '0'], {folder, env});
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
  examplesTrial,
  documentationTrial,
  runnersTrial,
  ...kinds.flatMap((kind) => [scaffold(kind, 'typescript'), scaffold(kind, 'javascript')]),
];
