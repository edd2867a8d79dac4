import type {ElectionTimes} from '../../sdk/controllers/index.js';
import {durationMillis} from '../../sdk/index.js';

/** Durations of leader election, such as `15s`. */
export interface LeaderElectionSettings {
  /** `--leader-elect-lease-duration` */
  readonly leaseDuration?: string | undefined;
  /** `--leader-elect-renew-deadline` */
  readonly renewDeadline?: string | undefined;
  /** `--leader-elect-retry-period` */
  readonly retryPeriod?: string | undefined;
}

/** Kubernetes' own. */
export const defaultElectionTimes = {leaseDuration: '15s', renewDeadline: '10s', retryPeriod: '2s'} as const;

/** @throws Error in one sentence for an invalid duration, or for durations that do not fit together */
export function electionTimes(settings: LeaderElectionSettings): ElectionTimes {
  const millis = (name: keyof LeaderElectionSettings, flag: string): number => {
    const text = settings[name] ?? defaultElectionTimes[name];
    const value = durationMillis(text);
    if (value === undefined || value < 100)
      throw new Error(`--${flag} takes a duration of at least 100ms, as 15s, and not ${JSON.stringify(text)}`);
    return value;
  };
  const leaseMillis = millis('leaseDuration', 'leader-elect-lease-duration');
  const renewDeadlineMillis = millis('renewDeadline', 'leader-elect-renew-deadline');
  const retryMillis = millis('retryPeriod', 'leader-elect-retry-period');
  if (leaseMillis % 1000 !== 0) throw new Error('--leader-elect-lease-duration takes whole seconds, as 15s');
  if (renewDeadlineMillis >= leaseMillis)
    throw new Error('--leader-elect-renew-deadline must be shorter than --leader-elect-lease-duration');
  if (retryMillis >= renewDeadlineMillis) throw new Error('--leader-elect-retry-period must be shorter than --leader-elect-renew-deadline');
  return {leaseMillis, renewDeadlineMillis, retryMillis};
}
