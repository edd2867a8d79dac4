import {dumpRows} from './dump-rows.js';
import {request, requestJson} from './request.js';

/** The answer of `/version`. */
export interface Version {
  readonly gitVersion?: string;
  readonly platform?: string;
}

interface Lineage {
  readonly store: string;
  readonly epoch: string;
  readonly revision: number;
  readonly commit: string;
  readonly at: number;
}

/** The answer of `/inspection/server`. */
export interface ServerState {
  readonly process: {readonly pid: number; readonly startTime: string; readonly node: string};
  readonly store: {
    readonly store: string;
    readonly durability: string;
    readonly epoch?: string;
    readonly shards: readonly {
      readonly shard: number;
      readonly following: boolean;
      readonly revision: number;
      readonly epochChanges: number;
      readonly breaks: number;
    }[];
    readonly lineages: readonly Lineage[];
  };
}

export interface PluginFact {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly why: string;
  readonly origin: string;
  readonly contributes: readonly string[];
  readonly permissions: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface FlagFact {
  readonly name: string;
  readonly value: string;
  readonly source: 'given' | 'configuration' | 'default';
  readonly plugin?: string;
}

export interface TailEvent {
  readonly number: number;
  readonly time: string;
  readonly level: string;
  readonly stage: string;
  readonly id: string;
  readonly verb: string;
  readonly uri: string;
  readonly user?: string;
  readonly impersonatedUser?: string;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A part of the audit log. */
export interface AuditPart {
  readonly recording: boolean;
  readonly last: number;
  readonly missed: number;
  readonly items: readonly TailEvent[];
}

/** A request that took long. */
export interface SlowRequest {
  readonly id: string;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly user?: string;
  readonly code: number;
  readonly seconds: number;
}

export const readVersion = (signal: AbortSignal) => requestJson<Version>('/version', {signal});
export const readState = (signal: AbortSignal) => requestJson<ServerState>('/inspection/server', {signal});
export const readPlugins = async (signal: AbortSignal) =>
  (await requestJson<{items: readonly PluginFact[]}>('/inspection/plugins', {signal})).items;
export const readFlags = async (signal: AbortSignal) =>
  (await requestJson<{items: readonly FlagFact[]}>('/inspection/flags', {signal})).items;
export const readAudit = (signal: AbortSignal, after: number) => requestJson<AuditPart>(`/inspection/audit?after=${after}`, {signal});
export const readSlow = async (signal: AbortSignal) =>
  (await requestJson<{items: readonly SlowRequest[]}>('/inspection/requests/?slow=true', {signal})).items;

/** A line for each queue that has requests, as `/debug/api_priority_and_fairness/dump_queues` has it. */
export async function readQueues(signal: AbortSignal): Promise<readonly Readonly<Record<string, string>>[]> {
  const answer = await request('/debug/api_priority_and_fairness/dump_queues', {accept: 'text/plain', signal});
  return dumpRows(await answer.text());
}
