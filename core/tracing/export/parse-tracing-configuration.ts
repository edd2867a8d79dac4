import type {NamingProfile} from '../../../sdk/index.js';
import {ConfigurationReader, type ConfigurationFault} from '../../configuration/configuration-reader.js';

/** The contents of `--tracing-config-file`. */
export interface TracingConfiguration {
  /** URL to which traces are posted. */
  readonly url: URL;
  /** Share of the requests that are traced, from 0 to 1. */
  readonly samplingRate: number;
}

/** The port of OTLP over HTTP on the collector's own machine. */
const defaultEndpoint = 'localhost:4318';
const tracesPath = '/v1/traces';
const million = 1_000_000;

/**
 * Reads a `TracingConfiguration` of `apiserver.config.orch/v1alpha1` or `v1beta1` (by the naming profile), with the rules of Kubernetes.
 *
 * @returns all faults, or the configuration if there are none
 */
export function parseTracingConfiguration(
  value: unknown,
  naming: NamingProfile,
): {configuration?: TracingConfiguration; faults: readonly ConfigurationFault[]} {
  const reader = new ConfigurationReader();
  const root = reader.object(value, '', ['apiVersion', 'kind', 'endpoint', 'samplingRatePerMillion']);
  if (!root) return {faults: reader.faults};
  const versions = ['v1alpha1', 'v1beta1'].map((version) => `${naming.group('apiserver.config.orch')}/${version}`);
  if (!versions.includes(root.apiVersion as string)) reader.fault('apiVersion', `must be ${versions.join(' or ')}`);
  if (root.kind !== 'TracingConfiguration') reader.fault('kind', 'must be TracingConfiguration');
  const url = readEndpoint(reader, root.endpoint ?? defaultEndpoint);
  const rate = root.samplingRatePerMillion ?? 0;
  const isRate = typeof rate === 'number' && Number.isInteger(rate) && rate >= 0 && rate <= million;
  if (!isRate) reader.fault('samplingRatePerMillion', `must be a whole number from 0 to ${million}`);
  if (!url || !isRate || reader.faults.length > 0) return {faults: reader.faults};
  return {configuration: {url, samplingRate: rate / million}, faults: []};
}

/** `HOST:PORT`, or an http or https URL: its path is the usual one if it has none. */
function readEndpoint(reader: ConfigurationReader, value: unknown): URL | undefined {
  const text = reader.text(value, 'endpoint');
  if (text === undefined) return undefined;
  const full = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '') {
    reader.fault('endpoint', 'must be HOST:PORT or an http or https URL without user and password');
    return undefined;
  }
  if (url.pathname === '/') url.pathname = tracesPath;
  url.hash = '';
  return url;
}
