// Manifests of projects on a cluster with simulated nodes: npm run try-projects -- --help
import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {findKubectls, kubectlFor} from '../../test/helpers/kubectl.js';
import {spawnOrch} from '../../test/helpers/orch-process.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {quietControllers} from '../../testing/quiet-controllers.js';
import {rollOutProject} from './roll-out-project.js';

const help = `npm run try-projects -- [options] FOLDER

Each folder below FOLDER has the manifests of a project, as it publishes them for clusters. For each a cluster with three simulated nodes is started, kubectl applies the
manifests in the namespaces that they name, and waits with kubectl rollout status and kubectl wait until all that is rolled out is available. Says of each project what came to be there and how
long it took, or what kubectl said.

  --release 1.NN   1.36 by default
  --seconds N      how long each wait takes at most; 60 by default
`;

const {values, positionals} = parseArgs({
  options: {
    release: {type: 'string', default: '1.36'},
    seconds: {type: 'string', default: '60'},
    help: {type: 'boolean', default: false},
  },
  allowPositionals: true,
});

const [folder] = positionals;
if (values.help || folder === undefined) {
  console.log(help);
} else {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory());
  let missing = 0;
  for (const name of names) {
    const cleanups: (() => unknown)[] = [];
    const t: Teardown = {teardown: (cleanup) => void cleanups.push(cleanup)};
    const began = performance.now();
    try {
      const server = await spawnOrch({
        platform: 'kubernetes',
        store: 'memory',
        extra: [`--release=${values.release}`, `--controllers=${quietControllers.join()}`, '--cluster', '--nodes=3:zones=a+b+c'],
      });
      t.teardown(async () => void (await server.stop()));
      const kubectl = kubectlFor(t, findKubectls().at(-1)!, server.kubeconfig);
      const found = await rollOutProject(kubectl, join(folder, name), Number(values.seconds));
      console.log(`${name}: ${found.join(', ')}; available after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    } catch (error) {
      missing += 1;
      console.log(`${name}: ${(error as Error).message}`);
    } finally {
      for (const cleanup of cleanups.toReversed()) await cleanup();
    }
  }
  console.log(`${names.length - missing} of ${names.length} projects became available`);
  process.exitCode = missing === 0 ? 0 : 1;
}
