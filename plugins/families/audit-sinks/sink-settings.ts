import {durationMillis, type NamingProfile} from '../../../sdk/index.js';
import type {BatchSettings} from './batch-queue.js';
import type {TruncationSettings} from './truncation.js';

type Config = Readonly<Record<string, unknown>>;

/** How a sink records events: later, in batches; before the request continues; or so that the request fails if recording fails. */
export type SinkMode = 'batch' | 'blocking' | 'blocking-strict';

/** The batch settings in a plugin's configuration. @param prefix of the flags @throws Error with a one-sentence message */
export function batchSettings(config: Config, prefix: string): BatchSettings {
  return {
    bufferSize: config['batchBufferSize'] as number,
    maximumEvents: config['batchMaxSize'] as number,
    maximumWaitMillis: millis(config, 'batchMaxWait', `--${prefix}-batch-max-wait`),
    throttle: config['batchThrottleEnable']
      ? {qps: config['batchThrottleQps'] as number, burst: config['batchThrottleBurst'] as number}
      : undefined,
  };
}

/** Undefined if nothing is truncated. */
export function truncationSettings(config: Config): TruncationSettings | undefined {
  if (!config['truncateEnabled']) return undefined;
  return {maximumEventBytes: config['truncateMaxEventSize'] as number, maximumBatchBytes: config['truncateMaxBatchSize'] as number};
}

/** A duration in a plugin's configuration, in milliseconds. @throws Error with a one-sentence message */
export function millis(config: Config, property: string, flag: string): number {
  const text = config[property] as string;
  const value = durationMillis(text);
  if (value === undefined) throw new Error(`${flag} must be a duration such as 30s, not ${JSON.stringify(text)}`);
  return value;
}

/**
 * Checks the version of events in a plugin's configuration, and returns it: there is one only.
 *
 * @throws Error with a one-sentence message
 */
export function eventVersion(config: Config, flag: string, naming: NamingProfile): string {
  const version = `${naming.group('audit.orch')}/v1`;
  const given = (config['version'] as string | undefined) ?? version;
  if (given !== version) throw new Error(`${flag} must be ${version}, the only version of events, not ${JSON.stringify(given)}`);
  return version;
}
