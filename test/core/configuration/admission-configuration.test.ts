import test, {type ExecutionContext} from 'ava';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {KernelError} from '../../../core/kernel/kernel-error.js';
import {createServer} from '@orch-api/orch';
import {startTestServer} from '@orch-api/orch/testing';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const head = 'apiVersion: apiserver.config.orch/v1\nkind: AdmissionConfiguration\n';

/** A plugin whose controller warns every client of the configuration that it was given, and refuses one without `text`. */
function plugin(t: ExecutionContext): string {
  const folder = tempFolder(t);
  const manifest = {
    name: 'configured',
    version: '1.0.0',
    kernel: '^0.1.0',
    entry: './index.js',
    contributes: {
      admission: [
        {class: 'Configured', name: 'Configured', enabledByDefault: true},
        {class: 'Sleeping', name: 'Sleeping', enabledByDefault: false},
      ],
    },
  };
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(folder, 'index.js'),
    `import {admission, inject, Tokens} from '@orch-api/orch/sdk';
export class Configured {
  constructor(configurations) {
    this.configuration = configurations.get('Configured');
    if (this.configuration && !this.configuration.text) throw new Error('text is required');
  }
  validate(request) { request.warn('configured with ' + JSON.stringify(this.configuration ?? null)); }
}
inject(Tokens.AdmissionConfigurations)(Configured, undefined, 0);
admission({operations: ['CREATE'], resources: ['configmaps']})(Configured);
export class Sleeping { validate() {} }
admission({operations: ['CREATE']})(Sleeping);
`,
  );
  return folder;
}

async function warningOf(t: ExecutionContext, configuration?: string): Promise<string | undefined> {
  const server = await startTestServer({
    plugins: [plugin(t)],
    ...(configuration === undefined ? {} : {admissionControlConfigFile: configuration}),
  });
  t.teardown(() => server.stop());
  const response = await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'c'}});
  t.is(response.status, 201);
  return response.headers['warning'] as string | undefined;
}

function file(t: ExecutionContext, text: string): string {
  const path = join(tempFolder(t), 'admission.yaml');
  writeFileSync(path, text);
  return path;
}

async function problemsOf(t: ExecutionContext, text: string): Promise<string[]> {
  const error = await t.throwsAsync(createServer({plugins: [plugin(t)], store: 'memory', admissionControlConfigFile: file(t, text)}));
  if (KernelError.is(error)) return error.problems.map(({message}) => message);
  t.fail(String(error));
  return [];
}

test('[B-API-2] a controller gets what the file says for it, inline or in a file beside it, and undefined without', async (t) => {
  t.is(await warningOf(t), '299 - "configured with null"');
  const inline = file(t, `${head}plugins: [{name: Configured, configuration: {kind: X, text: one}}]`);
  t.is(await warningOf(t, inline), String.raw`299 - "configured with {\"kind\":\"X\",\"text\":\"one\"}"`);
  const older = head.replace('apiserver.config.orch/v1', 'apiserver.orch/v1alpha1');
  const named = file(t, `${older}plugins: [{name: Configured, path: parts/two.json}]`);
  mkdirSync(join(named, '../parts'));
  writeFileSync(join(named, '../parts/two.json'), '{"text": "two"}');
  t.is(await warningOf(t, named), String.raw`299 - "configured with {\"text\":\"two\"}"`);
});

test('all faults of the file end the start together, and each says where it is', async (t) => {
  const faulty = `apiVersion: v1
kind: Admission
plugins:
  - {name: Configured, path: a, configuration: {}}
  - {name: Configured, configuration: [1]}
  - {name: Nobody, configuration: {}}
  - {name: Sleeping, configuration: {}}
  - {name: Sleeping, configuration: {}, more: 1}
`;
  const problems = await problemsOf(t, faulty);
  t.deepEqual(
    problems.map((text) => text.replace('the configuration of admission plugins: ', '').replace(/; known are .*Configured.*/, '')),
    [
      'apiVersion must be apiserver.config.orch/v1 or apiserver.orch/v1alpha1',
      'kind must be AdmissionConfiguration',
      'plugins[0] must have exactly one of path, configuration',
      'plugins[1].configuration must be an object',
      'plugins[2].name is not an admission plugin',
      'plugins[4].more is not known',
      'plugins[4].name is the name of an earlier entry',
    ],
  );
});

test('a file that cannot be read, or that names one, ends the start', async (t) => {
  t.regex((await problemsOf(t, `${head}plugins: [{name: Configured, path: gone.yaml}]`))[0]!, /cannot be read: ENOENT/);
  t.regex((await problemsOf(t, '{'))[0]!, /cannot be read: /);
  t.regex((await problemsOf(t, ' '.repeat(1024 * 1024 + 1)))[0]!, /at most 1048576 are read/);
});

test('what a controller finds wrong in its configuration ends the start and names the controller', async (t) => {
  const configuration = file(t, `${head}plugins: [{name: Configured, configuration: {txt: one}}]`);
  await t.throwsAsync(startTestServer({plugins: [plugin(t)], admissionControlConfigFile: configuration}), {
    message: /constructing Configured failed: text is required/,
  });
});

test('a configuration for a controller that is off or takes none is told to have no effect', async (t) => {
  const {logger, lines} = recordingLogger();
  const configuration = file(t, `${head}plugins: [{name: Sleeping, configuration: {}}, {name: NamespaceLifecycle, configuration: {}}]`);
  const server = await startTestServer({plugins: [plugin(t)], admissionControlConfigFile: configuration, logger});
  t.teardown(() => server.stop());
  const told = lines.filter(({message}) => message.startsWith('configurations of admission plugins have no effect'));
  t.deepEqual(
    told.map(({fields}) => fields['admission']),
    [['Sleeping', 'NamespaceLifecycle']],
  );
});
