import {durationMillis, type JsonObject, type NamingProfile, type ServedApis} from '../../../sdk/index.js';
import {selectorText, isEmptySelector, type LabelSelector} from '../../../sdk/labels/index.js';
import type {CrossVersionObjectReference} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import {milliOf} from './metric-amount.js';
import {MetricError, requestErrorText} from './metric-error.js';

/** What was measured of a pod. */
export interface PodMetric {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly windowMillis: number;
  /** In thousandths. */
  readonly value: bigint;
}

/** By the names of pods. */
export type PodMetrics = Map<string, PodMetric>;

/** Of metrics that do not say. */
const defaultWindowMillis = 60_000;
const customVersions: ReadonlySet<string> = new Set(['v1beta2', 'v1beta1']);

interface PodUsage {
  readonly metadata?: {readonly name?: string};
  readonly timestamp?: string;
  readonly window?: string;
  readonly containers?: readonly {readonly name?: string; readonly usage?: Readonly<Record<string, string>>}[];
}

/** A value of the APIs for custom and external metrics. */
interface MetricValue {
  readonly describedObject?: {readonly name?: string};
  readonly timestamp?: string;
  readonly windowSeconds?: number;
  /** In `v1beta1`. */
  readonly window?: number;
  readonly value?: string;
}

export interface MetricsClientParts {
  readonly apis: ServedApis;
  readonly naming: NamingProfile;
  /** The resource of a kind with its group, as in paths; undefined if there is none. */
  readonly resourceOf: (group: string, kind: string) => string | undefined;
  /** Ends all requests. */
  readonly signal: AbortSignal;
}

/** Reads metrics of whoever serves them. All methods throw `MetricError`, in the words of Kubernetes. */
export class MetricsClient {
  readonly #parts: MetricsClientParts;
  readonly #groups: {readonly resource: string; readonly custom: string; readonly external: string};

  constructor(parts: MetricsClientParts) {
    this.#parts = parts;
    const {naming} = parts;
    this.#groups = {
      resource: naming.group('metrics.orch'),
      custom: naming.group('custom.metrics.orch'),
      external: naming.group('external.metrics.orch'),
    };
  }

  /** What pods use of a resource. @param container of one container; empty for whole pods */
  async usage(resource: string, namespace: string, selector: string, container: string): Promise<PodMetrics> {
    const group = this.#groups.resource;
    const path = `/apis/${group}/v1beta1/namespaces/${namespace}/pods`;
    const items = (await this.#items('resource metrics', path, {labelSelector: selector}, `pods.${group}`)) as PodUsage[];
    if (items.length === 0) throw new MetricError('no metrics returned from resource metrics API');
    const metrics: PodMetrics = new Map();
    for (const {metadata, timestamp, window, containers = []} of items) {
      const chosen = container === '' ? containers : containers.filter(({name}) => name === container);
      const amounts = chosen.map(({usage}) => usage?.[resource]);
      if (amounts.length === 0 || amounts.includes(undefined)) continue;
      const value = amounts.reduce((sum, amount) => sum + milliOf(amount), 0n);
      metrics.set(metadata?.name ?? '', {at: timeOf(timestamp), windowMillis: durationMillis(window ?? '') ?? 0, value});
    }
    return metrics;
  }

  /** A metric of each of some pods. */
  async ofPods(metric: string, namespace: string, selector: string, metricSelector: LabelSelector | undefined | null): Promise<PodMetrics> {
    const items = await this.#custom(`namespaces/${namespace}/pods/*/${encodeURIComponent(metric)}`, 'pods', '*', {
      labelSelector: selector,
      metricLabelSelector: textOf(metricSelector),
    });
    if (items.length === 0) throw new MetricError('no metrics returned from custom metrics API');
    return new Map(
      items.map(({describedObject, timestamp, windowSeconds, window, value}) => {
        const seconds = windowSeconds ?? window;
        const windowMillis = seconds === undefined || seconds === null ? defaultWindowMillis : seconds * 1000;
        return [describedObject?.name ?? '', {at: timeOf(timestamp), windowMillis, value: milliOf(value)}];
      }),
    );
  }

  /** A metric of an object, in thousandths. */
  async ofObject(
    metric: string,
    namespace: string,
    {apiVersion = '', kind = '', name = ''}: CrossVersionObjectReference,
    metricSelector: LabelSelector | undefined | null,
  ): Promise<bigint> {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    const query = {metricLabelSelector: textOf(metricSelector)};
    const isNamespace = group === '' && kind === 'Namespace';
    const resource = isNamespace ? 'metrics' : this.#parts.resourceOf(group, kind);
    if (resource === undefined) {
      const shown = group === '' ? kind : `${kind}.${group}`;
      throw new MetricError(
        `unable to fetch metrics from custom metrics API: unable to map kind ${shown} to resource: no matches for kind "${kind}" in group "${group}"`,
      );
    }
    const items = isNamespace
      ? await this.#custom(`namespaces/${namespace}/metrics/${encodeURIComponent(metric)}`, resource, metric, query)
      : await this.#custom(
          `namespaces/${namespace}/${resource}/${encodeURIComponent(name)}/${encodeURIComponent(metric)}`,
          resource,
          name,
          query,
        );
    if (items.length !== 1)
      throw new MetricError(
        `unable to fetch metrics from custom metrics API: the custom metrics API server returned ${items.length} results when we asked for exactly one`,
      );
    return milliOf(items[0]!.value);
  }

  /** All values of a metric that belongs to no object, in thousandths. */
  async external(metric: string, namespace: string, selector: LabelSelector | undefined | null): Promise<bigint[]> {
    const group = this.#groups.external;
    const path = `/apis/${group}/v1beta1/namespaces/${namespace}/${encodeURIComponent(metric)}`;
    const items = (await this.#items('external metrics', path, {labelSelector: textOf(selector)}, `${metric}.${group}`)) as MetricValue[];
    if (items.length === 0) throw new MetricError('no metrics returned from external metrics API');
    return items.map(({value}) => milliOf(value));
  }

  async #custom(rest: string, resource: string, name: string, query: Readonly<Record<string, string>>): Promise<MetricValue[]> {
    const group = this.#groups.custom;
    const versions = this.#parts.apis.versions(group);
    const version = versions.find((one) => customVersions.has(one));
    if (version === undefined) {
      const why = versions.length === 0 ? `no custom metrics API (${group}) registered` : 'no known available metric versions found';
      throw new MetricError(`unable to fetch metrics from custom metrics API: ${why}`);
    }
    return (await this.#items(
      'custom metrics',
      `/apis/${group}/${version}/${rest}`,
      query,
      `${resource}.${group} ${name}`,
    )) as MetricValue[];
  }

  /** The items of a list. @param api its name in errors @param what is asked for, in errors */
  async #items(api: string, path: string, query: Readonly<Record<string, string>>, what: string): Promise<unknown[]> {
    const given = Object.entries(query).filter(([, value]) => value !== '');
    const whole = given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
    const {apis, signal} = this.#parts;
    let answer: JsonObject;
    try {
      answer = await apis.get(whole, signal);
    } catch (error) {
      throw new MetricError(`unable to fetch metrics from ${api} API: ${requestErrorText(error, what)}`, {cause: error});
    }
    return Array.isArray(answer['items']) ? answer['items'] : [];
  }
}

/** Empty for a selector without conditions. */
function textOf(selector: LabelSelector | undefined | null): string {
  return isEmptySelector(selector) ? '' : selectorText(selector);
}

function timeOf(text: string | undefined): number {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? 0 : time;
}
