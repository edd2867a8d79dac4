import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {findKubectls} from '../helpers/kubectl.js';
import {projectRoot} from '../helpers/project-root.js';
import {tempFolder} from '../helpers/temp-folder.js';

/** The commands of the section "A tour". */
function commandsOfTour(): string[] {
  const page = readFileSync(join(projectRoot(), 'docs/cluster.md'), 'utf8');
  const [, block = ''] = /## A tour\n[^`]*```sh\n(.*?)```/s.exec(page) ?? [];
  return block.split('\n').filter((line) => line !== '');
}

// `--annotations` of `run`, and waiting for members, are not in the oldest ones.
const binary = findKubectls().find(({minor}) => minor === undefined || minor >= 29);
const kubectlTest = binary ? test : test.skip;

kubectlTest('the tour of a cluster goes as the page says, command by command', async (t) => {
  t.timeout(180_000);
  const server = await startTestServer({platform: 'kubernetes', cluster: {nodes: 3}});
  t.teardown(() => server.stop());
  await server.settled();
  const home = tempFolder(t, 'orch-tour-');
  const env = {
    PATH: [dirname(binary!.path), process.env.PATH].join(':'),
    HOME: home,
    KUBECONFIG: server.kubeconfig,
    ORCH_TEST_RUN: process.env.ORCH_TEST_RUN,
  };
  const run = (command: string) =>
    new Promise<{code: number | null; output: string}>((resolve) => {
      const child = execFile('bash', ['-c', command], {env, cwd: home, timeout: 60_000}, (_error, stdout, stderr) =>
        resolve({code: child.exitCode, output: stdout + stderr}),
      );
    });
  const commands = commandsOfTour();
  t.true(commands.length > 15);
  const outputs = new Map<string, string>();
  for (const command of commands) {
    const {code, output} = await run(command);
    t.is(code, 0, `${command}\n${output}`);
    outputs.set(command, output);
  }
  t.regex(
    outputs.get('kubectl logs deployment/web')!,
    /simulated container web of pod default\/web-\S+ has started with image registry\.example\.com\/web:1/,
  );
  t.regex(outputs.get('kubectl get pods --output wide')!, /Running/);
  t.regex(outputs.get('kubectl get pods --field-selector spec.nodeName=node-1')!, /^No resources found in default namespace\.\s*$/);
  t.is((await server.client.get('/apis/apps/v1/namespaces/default/deployments/web')).status, 404);
});
