import {readdir, stat} from 'node:fs/promises';
import process from 'node:process';
import {collectDefaultMetrics, Gauge, Registry} from 'prom-client';
import type {TextForm} from './metric-family.js';

/** Left out: their cost grows with the number of connections, and they are of little use. */
const unwanted = ['resources', 'handles', 'requests'].flatMap((what) => [`nodejs_active_${what}`, `nodejs_active_${what}_total`]);

/** prom-client lists the files, which blocks the loop for a millisecond per thousand connections. */
const openFiles = 'process_open_fds';
const openFilesFolder = '/proc/self/fd';

let observed: Registry | undefined;

/** Observation starts with the first call. There is one event loop and one heap, however many servers the process has. */
function registry(): Registry {
  if (observed) return observed;
  observed = new Registry();
  collectDefaultMetrics({register: observed});
  for (const name of unwanted) observed.removeSingleMetric(name);
  if (observed.getSingleMetric(openFiles)) {
    observed.removeSingleMetric(openFiles);
    const gauge: Gauge = new Gauge({
      name: openFiles,
      help: 'Number of open file descriptors.',
      registers: [observed],
      collect: async () => gauge.set(await countOpenFiles()),
    });
  }
  // What the library calls external leaves out the memory that texts of objects lie in (`BufferPieces`).
  const buffers: Gauge = new Gauge({
    name: 'nodejs_array_buffers_bytes',
    help: 'Memory of buffers in bytes, that of texts of objects included.',
    registers: [observed],
    collect: () => buffers.set(process.memoryUsage().arrayBuffers),
  });
  for (const metric of observed.getMetricsAsArray()) metric.help = `[ALPHA] ${metric.help}`;
  return observed;
}

/** Linux reports the number since 6.2; before, they are listed, by another thread. */
async function countOpenFiles(): Promise<number> {
  const {size} = await stat(openFilesFolder);
  return size > 0 ? size : (await readdir(openFilesFolder)).length - 1;
}

/**
 * The metrics of the process: `process_*` and `nodejs_*`, as prom-client names them.
 *
 * @param shown which lines; all if left out
 */
export async function runtimeText(form: TextForm, shown = /./): Promise<string> {
  const lines = (await registry().metrics())
    .split('\n')
    .filter((line) => shown.test(line))
    // The format requires NaN, the library writes Nan.
    .map((line) => line.replace(/ Nan$/, ' NaN'));
  const written = form === 'text' ? lines : lines.map(asOpenMetrics(lines));
  return `${written.join('\n')}\n`;
}

/** The library can write OpenMetrics too, but then renames its counters permanently. Only their heads differ. */
function asOpenMetrics(lines: readonly string[]): (line: string) => string {
  const counters = new Set(lines.flatMap((line) => /^# TYPE (\S+)_total counter$/.exec(line)?.[1] ?? []));
  return (line) =>
    line.replace(/^(# (?:HELP|TYPE) )(\S+)_total /, (head, kind: string, name: string) => (counters.has(name) ? `${kind}${name} ` : head));
}
