import type {ExecutionContext} from 'ava';
import {startRedis} from '../../test/helpers/redis-server.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import type {Attack} from './attack.js';
import type {StoreName} from './options.js';
import {makeAuthority} from './run/authority.js';
import type {Bounds} from './run/bounds.js';
import {runStore} from './run/run-store.js';
import type {Verdict} from './run/verdict.js';

export interface AttackRun {
  readonly stores: readonly StoreName[];
  readonly attacks: readonly Attack[];
  readonly bounds: Bounds;
  readonly seed: number;
  readonly onStore?: (store: StoreName) => void;
  readonly onBegin?: (attack: Attack, store: StoreName) => void;
  readonly onVerdict?: (verdict: Verdict) => void;
}

/** Carries out attacks on each store, one after the other. */
export async function attackStores(t: Teardown, run: AttackRun): Promise<Verdict[]> {
  const authority = await makeAuthority(t);
  const verdicts: Verdict[] = [];
  for (const store of run.stores) {
    // All that the helper asks of a test is a place for its cleanup.
    const redis = store === 'redis' ? await startRedis(t as ExecutionContext) : undefined;
    run.onStore?.(store);
    const found = await runStore({
      t,
      store,
      authority,
      attacks: attacksOn(store, run),
      bounds: run.bounds,
      seed: run.seed,
      emptyStore: async () => {
        await redis?.client().flushall();
        return redis?.url;
      },
      onBegin: (attack) => run.onBegin?.(attack, store),
      onVerdict: (verdict) => run.onVerdict?.(verdict),
    });
    verdicts.push(...found);
  }
  return verdicts;
}

/** What does not depend on the store is carried out on the first. */
export function attacksOn(store: StoreName, {attacks, stores}: Pick<AttackRun, 'attacks' | 'stores'>): Attack[] {
  return attacks.filter(({storeless}) => storeless !== true || store === stores[0]);
}
