import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import {until} from '../../test/helpers/eventually.js';
import {httpsClient} from '../../test/helpers/https-client.js';
import {parseMetrics, valueOf} from '../../test/helpers/metrics-text.js';
import {spawnOrch} from '../../test/helpers/orch-process.js';
import {webhookService} from '../../test/helpers/webhook-service.js';
import {LoadProcess} from './load-process.js';

/** What becomes of the events of a service that takes them, then hangs, and then works again. */
export interface HangingAuditResult {
  readonly requests: number;
  /** Milliseconds of updates while the service works, and while it hangs. */
  readonly working: {readonly p50: number; readonly p99: number};
  readonly hanging: {readonly p50: number; readonly p99: number};
  /** Events by the server's own count, those of them that it counts as lost, and those that have arrived. */
  readonly events: number;
  readonly lost: number;
  readonly arrived: number;
  /** Events that the settings keep while the service hangs: those that wait and those under way. */
  readonly kept: number;
  readonly failures: number;
}

const objects = 500;
const concurrency = 8;
/** The defaults of `--audit-webhook-batch-*`; four batches are sent at once. */
const kept = 10_000 + 4 * 400;

/** Updates at RequestResponse, in batches as by default: 5,000 while the service works, then as many as fill the buffer twice, then 1,000 when it works again. */
export async function measureHangingAudit(progress: (text: string) => void = () => undefined): Promise<HangingAuditResult> {
  const cleanups: (() => void | Promise<void>)[] = [];
  // All that the helpers ask of a test is a place for its cleanup.
  const t = {teardown: (cleanup: () => void | Promise<void>) => cleanups.unshift(cleanup)} as unknown as ExecutionContext;
  try {
    progress('audit: a service that hangs');
    let isHanging = false;
    let arrived = 0;
    const waiting: (() => void)[] = [];
    const service = await webhookService(t, async (body, response) => {
      if (isHanging) await new Promise<void>((resolve) => waiting.push(resolve));
      arrived += (JSON.parse(body) as {items: object[]}).items.length;
      response.end();
    });
    const folder = mkdtempSync(join(tmpdir(), 'orch-bench-audit-'));
    cleanups.unshift(() => rmSync(folder, {recursive: true, force: true}));
    const write = (name: string, value: object) => {
      writeFileSync(join(folder, name), JSON.stringify(value));
      return join(folder, name);
    };
    const resources = [{group: '', resources: ['configmaps']}];
    const policy = write('policy', {
      apiVersion: 'audit.orch/v1',
      kind: 'Policy',
      rules: [{level: 'RequestResponse', verbs: ['update'], resources}],
    });
    const cluster = {server: service.url, 'certificate-authority-data': Buffer.from(service.ca).toString('base64')};
    const file = write('service', {apiVersion: 'v1', kind: 'Config', clusters: [{name: 'a', cluster}]});
    // The service hangs for longer than one attempt has by default, and for less than this.
    const config = write('config', {plugins: {'audit-webhook': {config: {timeout: '5m'}}}});
    const flags = [
      '--config',
      config,
      '--audit-policy-file',
      policy,
      '--audit-webhook-config-file',
      file,
      '--audit-webhook-batch-max-wait',
      '1s',
    ];
    const server = await spawnOrch({store: 'memory', extra: flags});
    cleanups.unshift(() => server.stop().then(() => undefined));
    const load = new LoadProcess();
    cleanups.unshift(() => load.close());
    await load.run({kind: 'connect', targets: [server], concurrency});
    const client = httpsClient(t, server);
    await client.post('/api/v1/namespaces', {metadata: {name: 'bench'}});
    await load.run({kind: 'requests', work: 'create', namespace: 'bench', count: objects, maxSeconds: 60, objects});
    let failures = 0;
    const update = async (count: number) => {
      const done = await load.run({kind: 'requests', work: 'update', namespace: 'bench', count, maxSeconds: 60, objects});
      failures += done.failures;
      return done;
    };
    const counted = async () => {
      const scrape = parseMetrics((await client.get('/metrics')).body.toString());
      return {
        events: valueOf(scrape, 'apiserver_audit_event_total'),
        lost: valueOf(scrape, 'apiserver_audit_error_total', {plugin: 'AuditWebhook'}),
      };
    };
    const settled = () =>
      until(
        'all events have arrived or are counted as lost',
        async () => {
          const {events, lost} = await counted();
          return events === arrived + lost;
        },
        60_000,
      );
    const working = await update(5_000);
    await settled();
    isHanging = true;
    const hanging = await update(kept);
    isHanging = false;
    for (const go of waiting.splice(0)) go();
    await settled();
    const after = await update(1_000);
    await settled();
    const requests = working.operations + hanging.operations + after.operations;
    return {requests, working, hanging, ...(await counted()), arrived, kept, failures};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}
