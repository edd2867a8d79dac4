import {collectDefaultMetrics, Registry} from 'prom-client';
import type {TextForm} from './metric-family.js';

/** What grows with the number of connections to look at, and tells little. */
const unwanted = ['resources', 'handles', 'requests'].flatMap((what) => [`nodejs_active_${what}`, `nodejs_active_${what}_total`]);

let observed: Registry | undefined;

/** Observes from the first call on: there is one event loop and one heap, however many servers the process has. */
function registry(): Registry {
  if (observed) return observed;
  observed = new Registry();
  collectDefaultMetrics({register: observed});
  for (const name of unwanted) observed.removeSingleMetric(name);
  for (const metric of observed.getMetricsAsArray()) metric.help = `[ALPHA] ${metric.help}`;
  return observed;
}

/** The metrics of the process: `process_*` and `nodejs_*`, as prom-client names them. */
export async function runtimeText(form: TextForm): Promise<string> {
  const lines = (await registry().metrics())
    .split('\n')
    .filter((line) => line !== '')
    // The format writes NaN, the library does not.
    .map((line) => line.replace(/ Nan$/, ' NaN'));
  const told = form === 'text' ? lines : lines.map(asOpenMetrics(lines));
  return `${told.join('\n')}\n`;
}

/** The library writes OpenMetrics as well, but then it renames its counters for good. Their heads are all that differs. */
function asOpenMetrics(lines: readonly string[]): (line: string) => string {
  const counters = new Set(lines.flatMap((line) => /^# TYPE (\S+)_total counter$/.exec(line)?.[1] ?? []));
  return (line) =>
    line.replace(/^(# (?:HELP|TYPE) )(\S+)_total /, (head, kind: string, name: string) => (counters.has(name) ? `${kind}${name} ` : head));
}
