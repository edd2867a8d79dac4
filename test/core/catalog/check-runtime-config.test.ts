import test from 'ava';
import {startTestServer, type ServerOptions} from '@orch-api/orch/testing';
import {tempFolder} from '../../helpers/temp-folder.js';
import {runOrch} from '../../helpers/orch-process.js';

const fault = async (runtimeConfig: string | readonly string[], options: ServerOptions = {}): Promise<string> => {
  try {
    const server = await startTestServer({...options, runtimeConfig: [runtimeConfig].flat()});
    await server.stop();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('a setting about a group, version or resource that there is not ends the start', async (t) => {
  t.is(await fault('appz/v1=true'), '--runtime-config: there is no API group appz; did you mean apps?');
  t.is(await fault('apps/v2=false'), '--runtime-config: there is no version v2 of the API group apps; there is apps/v1');
  t.is(await fault('apps/v1/deployment=false'), '--runtime-config: there is no resource deployment in apps/v1; did you mean deployments?');
  t.is(await fault('api/v2'), '--runtime-config: there is no version v2 of the API group api; there is api/v1');
  t.regex(await fault('apps'), /^--runtime-config: apps is neither GROUP\/VERSION nor /);
  t.regex(await fault('apps/v1/deployments/scale'), /^--runtime-config: apps\/v1\/deployments\/scale is neither /);
  t.regex(await fault('api/gamma'), /^--runtime-config: there is no version gamma of the API group api/);
  t.is(
    await fault(['x.example/v1', 'apps/v2']),
    '--runtime-config: there is no API group x.example; there is no version v2 of the API group apps; there is apps/v1',
  );
});

test('the configuration file is checked as the flag is, and groups are named as clients see them', async (t) => {
  const configured = async (key: string) => {
    const server = await t.throwsAsync(() => startTestServer({platform: 'kubernetes', configuration: {runtimeConfig: {[key]: true}}}));
    return server.message;
  };
  t.is(await configured('storage.orch/v1'), '--runtime-config: there is no API group storage.orch');
  t.regex(await configured('__proto__/v1'), /there is no API group __proto__/);
  t.is(await fault('storage.k8s.io/v1beta1=false', {platform: 'kubernetes'}), '');
});

test('levels, versions, resources, the core group in both spellings and groups of callbacks are known', async (t) => {
  t.is(
    await fault([
      'api/all=true,api/ga,api/beta=false,api/alpha',
      'api/v1,v1=true,api/v1/pods',
      'apps/v1,batch/v1/jobs=true',
      'imagepolicy.orch/v1alpha1=true',
    ]),
    '',
  );
});

test('the command says so and ends with exit code 1', async (t) => {
  const {code, stderr} = await runOrch(['serve', '--secure-port', '0', '--data-dir', tempFolder(t), '--runtime-config', 'appz/v1=true']);
  t.is(code, 1);
  t.is(stderr.trimEnd().split('\n').at(-1), 'orch: --runtime-config: there is no API group appz; did you mean apps?');
});
