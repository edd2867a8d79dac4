import type {Lease} from '../../../sdk/types/unchecked/coordination/v1.js';
import {compareSemanticVersions, type SemanticVersion} from '../../families/semantic-versions/semantic-version.js';
import {timeOf, validMillis, type Candidate} from './candidate.js';

/** The one strategy that is carried out here: of the processes that behave like the oldest release, one of the oldest program. Others are left to whoever knows them. */
export const oldestEmulationVersion = 'OldestEmulationVersion';

/** Milliseconds that candidates have to answer, and that an answer counts. */
export const electionMillis = 5000;

const none: SemanticVersion = {numbers: [0n, 0n, 0n], prerelease: []};

/** The strategy of the newest programs among the candidates. @throws Error if they do not agree */
export function strategyOf(candidates: readonly Candidate[]): string {
  const [first, ...others] = candidates;
  if (!first) throw new Error('no candidates');
  let best = first;
  for (const candidate of others) {
    const order = compareSemanticVersions(best.binary ?? none, candidate.binary ?? none);
    if (order < 0) best = candidate;
    else if (order === 0 && candidate.strategy !== best.strategy)
      throw new Error(
        `candidates "${best.name}", "${candidate.name}" at same binary version but received differing strategies ${best.strategy}, ${candidate.strategy}`,
      );
  }
  return best.strategy;
}

/** The candidate that should hold the lease; undefined if none says its versions. */
export function bestOf(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.filter(({binary, emulation}) => binary && emulation).toSorted(compareCandidates)[0];
}

/** The better one first; of equal ones the older, then the first by name. */
function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    compareSemanticVersions(a.emulation!, b.emulation!) ||
    compareSemanticVersions(a.binary!, b.binary!) ||
    a.created - b.created ||
    (a.name < b.name ? -1 : 1)
  );
}

/** Whether a lease has run out. @param now milliseconds since 1970 */
export function hasRunOut({spec = {}}: Lease, now: number): boolean {
  const renewed = timeOf(spec.renewTime);
  const seconds = spec.leaseDurationSeconds;
  return renewed === undefined || typeof seconds !== 'number' || renewed + seconds * 1000 < now;
}

/**
 * Whether the candidates of a lease have to be asked: nobody holds it, the best of them does not, or one has not shown a sign of life for half of the time that it
 * counts. Where another strategy decides, a lease that is held stays as it is.
 *
 * @throws Error if the candidates do not agree on a strategy
 */
export function isElectionDue(lease: Lease | undefined, candidates: readonly Candidate[], now: number): boolean {
  const holder = lease?.spec?.holderIdentity ?? '';
  if (!lease || holder === '' || hasRunOut(lease, now)) return true;
  if (candidates.some(({renewed}) => renewed !== undefined && renewed + validMillis / 2 < now)) return true;
  if (strategyOf(candidates) !== oldestEmulationVersion) return false;
  const best = bestOf(candidates);
  return best !== undefined && best.name !== holder;
}

/** What is known of a candidate in an election: it is there, it has to be asked, an answer may still come, or none has come in time. */
export type Presence = 'present' | 'unasked' | 'asked' | 'silent';

/** @param now milliseconds since 1970 */
export function presenceOf({pinged, renewed}: Candidate, now: number): Presence {
  const hasAnswered = pinged === undefined || (renewed !== undefined && renewed >= pinged);
  if (!hasAnswered && pinged + electionMillis > now) return 'asked';
  if (renewed !== undefined && renewed + electionMillis > now) return 'present';
  return hasAnswered ? 'unasked' : 'silent';
}
