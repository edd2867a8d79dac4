import test from 'ava';
import {createServer} from '@orch-api/orch';
import {parseTracingConfiguration} from '../../../../core/tracing/export/parse-tracing-configuration.js';
import {resolveNaming} from '../../../../core/options/resolve-naming.js';
import {tracingFile} from '../../../helpers/trace-collector.js';

const naming = resolveNaming('kubernetes', undefined);
const head = {apiVersion: 'apiserver.config.k8s.io/v1alpha1', kind: 'TracingConfiguration'};
const parse = (members: object) => {
  const {configuration, faults} = parseTracingConfiguration({...head, ...members}, naming);
  return configuration ? [configuration.url.href, configuration.samplingRate] : faults.map(({path, text}) => `${path} ${text}`);
};

test('the endpoint is the port of OTLP over HTTP unless it is given, and nothing is sampled unless it is said', (t) => {
  t.deepEqual(parse({}), ['http://localhost:4318/v1/traces', 0]);
  t.deepEqual(parse({endpoint: 'collector:80', samplingRatePerMillion: 100}), ['http://collector/v1/traces', 0.0001]);
  t.deepEqual(parse({endpoint: 'https://collector.example.com/otlp'}), ['https://collector.example.com/otlp', 0]);
});

test('faults of a tracing configuration are told with their places', async (t) => {
  t.deepEqual(parse({apiVersion: 'v1', kind: 'Config', endpoint: 'ftp://x', samplingRatePerMillion: 1.5, tls: {}}), [
    'tls is not known',
    'apiVersion must be apiserver.config.k8s.io/v1alpha1 or apiserver.config.k8s.io/v1beta1',
    'kind must be TracingConfiguration',
    'endpoint must be HOST:PORT or an http or https URL without user and password',
    'samplingRatePerMillion must be a whole number from 0 to 1000000',
  ]);
  t.deepEqual(parse({endpoint: 'http://user:password@host', samplingRatePerMillion: 1_000_001}).length, 2);
  const tracingConfigFile = tracingFile(t, {samplingRatePerMillion: -1});
  const error = await t.throwsAsync(createServer({store: 'memory', tracingConfigFile}));
  t.regex(error!.message, /the tracing configuration: samplingRatePerMillion must be a whole number/);
  await t.throwsAsync(createServer({store: 'memory', tracingConfigFile: '/nowhere/tracing.yaml'}), {message: /cannot be read/});
});
