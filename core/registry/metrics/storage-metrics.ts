import {
  groupResourceText,
  type HistogramDeclaration,
  type HistogramSeries,
  type MetricDeclaration,
  type Metrics,
} from '../../../sdk/index.js';
import type {Registry} from '../registry.js';
import {growingTotal} from '../../metrics/growing-total.js';

const alpha = {stability: 'ALPHA'} as const;
const ofResource = {...alpha, labels: ['resource'], maximumSeries: 4000} as const;
const ofShard = {...alpha, labels: ['shard']} as const;

/** The metrics of storage. Types that are not in use have no series: nothing of them is in memory. */
export const storageMetrics = {
  objects: {
    ...ofResource,
    name: 'apiserver_storage_objects',
    stability: 'STABLE',
    since: '1.21',
    releases: {deprecated: '1.34'},
    help: 'Stored objects by resource; of types that have been asked for since the server started.',
  },
  resourceObjects: {
    ...alpha,
    name: 'apiserver_resource_objects',
    labels: ['group', 'resource'],
    maximumSeries: 4000,
    releases: {since: '1.34'},
    help: 'Stored objects by group and resource; of types that have been asked for since the server started.',
  },
  damaged: {
    ...ofResource,
    name: 'orch_store_damaged_records',
    help: 'Records of the store that are damaged and therefore left out, by resource.',
  },
  watchers: {...ofResource, name: 'orch_storage_watches', help: 'Watches that are open, by resource.'},
  windowEvents: {
    ...ofResource,
    name: 'orch_storage_window_events',
    help: 'Changes kept in memory for watches that come back, by resource.',
  },
  windowBytes: {...ofResource, name: 'orch_storage_window_bytes', help: 'Memory of these changes, in bytes, by resource.'},
  following: {...ofShard, name: 'orch_store_following', help: '1 while the log of the store is followed, 0 while it cannot be read.'},
  lag: {...ofShard, name: 'orch_store_lag_revisions', help: 'Revisions of the store that this server has not read yet.'},
  revision: {...ofShard, name: 'orch_store_revision', help: 'The revision up to which this server has read the log of the store.'},
  epochChanges: {
    ...ofShard,
    name: 'orch_store_epoch_changes_total',
    help: 'How often the store has lost its history, so that all watches ended.',
  },
  breaks: {...ofShard, name: 'orch_store_log_breaks_total', help: 'How often the log of the store broke off, for this or another reason.'},
  watchDelay: {
    ...alpha,
    name: 'orch_watch_delay_seconds',
    help: "Time from the commit of a change, by the store's clock, until it is written to the sockets of those who watch.",
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
} as const satisfies Record<string, MetricDeclaration | HistogramDeclaration>;

/** How long changes take to reach watches; fed by storage. */
export function watchDelay(metrics: Metrics): HistogramSeries {
  return metrics.histogram(storageMetrics.watchDelay).with();
}

/** Registers the metrics; their values are read at every scrape. */
export function registerStorageMetrics(metrics: Metrics, {catalog, storage}: Registry): void {
  registerTypeMetrics(metrics, {catalog, storage});
  registerShardMetrics(metrics, {storage});
}

function registerTypeMetrics(metrics: Metrics, {catalog, storage}: Pick<Registry, 'catalog' | 'storage'>): void {
  const objects = metrics.gauge(storageMetrics.objects);
  const resourceObjects = metrics.gauge(storageMetrics.resourceObjects);
  const damaged = metrics.gauge(storageMetrics.damaged);
  const watchers = metrics.gauge(storageMetrics.watchers);
  const events = metrics.gauge(storageMetrics.windowEvents);
  const bytes = metrics.gauge(storageMetrics.windowBytes);
  metrics.collect(() => {
    for (const gauge of [objects, resourceObjects, damaged, watchers, events, bytes]) gauge.clear();
    const names = new Map<string, {readonly group: string; readonly resource: string}>();
    for (const {storageName, group, plural} of catalog.types()) {
      // Several resources may show the same objects: the first one names them.
      if (!names.has(storageName)) names.set(storageName, {group, resource: plural});
    }
    for (const usage of storage.health().types) {
      const type = names.get(usage.type);
      if (type === undefined) continue;
      const resource = groupResourceText(type);
      resourceObjects.with(type.group, type.resource).set(usage.objects);
      objects.with(resource).set(usage.objects);
      if (usage.damaged > 0) damaged.with(resource).set(usage.damaged);
      watchers.with(resource).set(usage.watches);
      events.with(resource).set(usage.events);
      bytes.with(resource).set(usage.eventBytes);
    }
  });
}

function registerShardMetrics(metrics: Metrics, {storage}: Pick<Registry, 'storage'>): void {
  const following = metrics.gauge(storageMetrics.following);
  const lag = metrics.gauge(storageMetrics.lag);
  const revision = metrics.gauge(storageMetrics.revision);
  const epochChanges = metrics.counter(storageMetrics.epochChanges);
  const breaks = metrics.counter(storageMetrics.breaks);
  const totals = storage.health().shards.map(({shard}) => ({
    epochChanges: growingTotal(epochChanges.with(String(shard))),
    breaks: growingTotal(breaks.with(String(shard))),
  }));
  metrics.collect(async () => {
    await Promise.all(
      storage.health().shards.map(async (health, index) => {
        const shard = String(health.shard);
        following.with(shard).set(health.following ? 1 : 0);
        revision.with(shard).set(health.revision);
        totals[index]!.epochChanges(health.epochChanges);
        totals[index]!.breaks(health.breaks);
        const latest = health.latest();
        lag.with(shard).set(Math.max(0, (typeof latest === 'number' ? latest : await latest) - health.revision));
      }),
    );
  });
}
