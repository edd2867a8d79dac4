// Kubernetes' own suite against a server of this project: npm run e2e -- --help
import {mkdirSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {comparisonProgram} from '../compare/comparison-program.js';
import type {ServerPrograms} from '../kubernetes/kubernetes-server.js';
import {ownPrograms, startControlPlane} from './control-plane.js';
import {startOwnCluster} from './own-cluster.js';
import {startPaperNodes} from './paper-nodes.js';
import {countsOf, specTable, type Column} from './spec-table.js';
import {needOf} from './needs.js';
import type {Spec} from './specs.js';
import {listSpecs, runSpecs, type Suite} from './suite.js';

const help = `npm run e2e -- --suite FILE --kube-controller-manager FILE --kube-scheduler FILE [options]
npm run e2e -- --suite FILE --nodes N [options]

Runs Kubernetes' end-to-end suite, whose binary is e2e.test, against a server of this project with the controller manager and the scheduler of Kubernetes. There are two
nodes on paper, which say of each pod that it runs: specs that need more than that are left out and named. With --nodes the server's own controllers, scheduler and simulated
nodes do the work. Nothing is downloaded: all programs are given.

  --suite FILE                    e2e.test
  --kube-controller-manager FILE
  --kube-scheduler FILE
  --nodes N                       no programs of Kubernetes, but a cluster of this server with so many simulated nodes
  --kubectl FILE                  "kubectl" by default
  --release 1.NN                  that of the suite; 1.36 by default
  --focus REGEX                   specs by their text, as in --ginkgo.focus; "${String.raw`\[sig-api-machinery\]|\[sig-auth\]`}" by default
  --skip REGEX                    but not these, as in --ginkgo.skip
  --jobs N                        processes of the suite at a time, but for specs that have to be alone; 2 by default
  --out FOLDER                    for logs, reports and specs.md; build/e2e by default
  --kube-apiserver FILE           then what fails is run on this real server too
  --etcd FILE                     what that stores in; "etcd" by default
  --all                           runs everything on the real server too

Examples
  npm run e2e -- --suite k8s/e2e.test --kube-controller-manager k8s/kube-controller-manager --kube-scheduler k8s/kube-scheduler
  npm run e2e -- --suite k8s/e2e.test --nodes 3 --focus '${String.raw`\[Conformance\]`}'
  npm run e2e -- … --focus 'ServerSideApply' --jobs 1
  npm run e2e -- … --kube-apiserver k8s/kube-apiserver --etcd /usr/bin/etcd --all

The exit code is 1 where a spec fails that does not fail on the real server.
`;

const {values, run} = comparisonProgram(help, {
  suite: {type: 'string'},
  'kube-controller-manager': {type: 'string'},
  'kube-scheduler': {type: 'string'},
  nodes: {type: 'string'},
  kubectl: {type: 'string', default: 'kubectl'},
  focus: {type: 'string', default: String.raw`\[sig-api-machinery\]|\[sig-auth\]`},
  skip: {type: 'string'},
  jobs: {type: 'string', default: '2'},
  out: {type: 'string', default: 'build/e2e'},
});

/** @throws Error for an option that has to be given */
function given(name: 'suite' | 'kube-controller-manager' | 'kube-scheduler'): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing; npm run e2e -- --help`);
  return resolve(value);
}

await run(async (t) => {
  const folder = resolve(values.out);
  mkdirSync(folder, {recursive: true});
  const suite: Suite = {program: given('suite'), kubectl: values.kubectl, folder};
  const all = await listSpecs(suite, values.focus, values.skip);
  const runnable = all.filter(({text}) => needOf(text) === undefined);
  const {nodes, release} = values;
  const start =
    nodes === undefined ? onPaper(await ownPrograms(t, release)) : (inner: Teardown) => startOwnCluster(inner, release, Number(nodes));
  const own = await column(
    t,
    `this server, ${release}${nodes === undefined ? '' : `, ${nodes} simulated nodes`}`,
    'own',
    start,
    suite,
    runnable,
  );
  const failed = [...own.specs.values()].filter(({outcome}) => outcome === 'failed');
  const columns = [own];
  const {'kube-apiserver': kubeApiserver, etcd} = values;
  if (kubeApiserver !== undefined)
    columns.push(
      await column(
        t,
        'kube-apiserver',
        'real',
        onPaper({kubeApiserver: resolve(kubeApiserver), etcd}),
        suite,
        values.all ? runnable : failed,
      ),
    );
  for (const {text, message} of failed) console.log(`\n${text}\n  ${message.slice(0, 2000).replaceAll('\n', '\n  ')}`);
  writeFileSync(join(folder, 'specs.md'), specTable(all, columns));
  console.log(['', ...countsOf(all, columns), join(folder, 'specs.md')].join('\n'));
  const failsThere = (text: string) => columns[1]?.specs.get(text)?.outcome === 'failed';
  return failed.every(({text}) => failsThere(text)) ? 0 : 1;
});

/** Starts a server with the controller manager and the scheduler of Kubernetes, and nodes on paper. */
function onPaper(server: ServerPrograms): (t: Teardown) => Promise<string> {
  const components = {kubeControllerManager: given('kube-controller-manager'), kubeScheduler: given('kube-scheduler')};
  return async (t) => {
    const {kubeconfig, client} = await startControlPlane(t, server, components);
    await startPaperNodes(t, client);
    return kubeconfig;
  };
}

/** Runs specs on a control plane of their own, which is gone when they have ended. @param start resolves with the path of a client configuration */
async function column(
  t: Teardown,
  title: string,
  name: string,
  start: (t: Teardown) => Promise<string>,
  suite: Suite,
  specs: readonly Spec[],
): Promise<Column> {
  if (specs.length === 0) return {title, specs: new Map()};
  const cleanups: (() => unknown)[] = [];
  const end = async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  t.teardown(end);
  const kubeconfig = await start({teardown: (cleanup) => cleanups.push(cleanup)});
  console.log(`${title}: ${specs.length} specs`);
  const done = await runSpecs(suite, name, kubeconfig, specs, Number(values.jobs));
  await end();
  return {title, specs: new Map(done.map((spec) => [spec.text, spec]))};
}
