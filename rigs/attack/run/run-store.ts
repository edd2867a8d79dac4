import {setTimeout as sleep} from 'node:timers/promises';
import {excusedSlowness} from '../../../test/helpers/longest-turn.js';
import type {Teardown} from '../../../test/helpers/temp-folder.js';
import type {Attack} from '../attack.js';
import type {AttackerOrder, AttackerReply} from './attacker-main.js';
import type {Authority} from './authority.js';
import type {Bounds} from './bounds.js';
import {HelperProcess} from './helper-process.js';
import type {ProberOrder, ProberReply} from './prober-main.js';
import {isLate, judge, type Measured, type Recovery, type Verdict} from './verdict.js';
import {probedPath, Victim} from './victim.js';

export interface StoreRun {
  /** Where everything is ended, also when the run is broken off. */
  readonly t: Teardown;
  /** For the report. */
  readonly store: string;
  readonly authority: Authority;
  readonly attacks: readonly Attack[];
  readonly bounds: Bounds;
  readonly seed: number;
  /** Answers the URL of an empty store; undefined for the embedded one. Called before each server. */
  readonly emptyStore: () => Promise<string | undefined>;
  readonly onBegin: (attack: Attack) => void;
  readonly onVerdict: (verdict: Verdict) => void;
}

type AttackerProcess = HelperProcess<AttackerOrder, AttackerReply>;
type ProberProcess = HelperProcess<ProberOrder, ProberReply>;

/** The attacker gives way to the server and the probe, with which it shares the processors. */
const attackerNiceness = 15;
const prepareMillis = 60_000;
/** What an attack may take beyond its own time until all that it sent is answered. */
const graceMillis = 25_000;
const defaultSeconds = 1;
const lookMillis = 400;

/** Carries out attacks against servers on one store: each family meets a new server, and so does what comes behind an attack that did harm. */
export async function runStore(run: StoreRun): Promise<Verdict[]> {
  const siege = new Siege(run);
  run.t.teardown(() => siege.end());
  const verdicts: Verdict[] = [];
  for (const attack of run.attacks) {
    run.onBegin(attack);
    const first = await siege.carryOut(attack);
    // Something else may have disturbed a measure: what shows again, on a new server, counts.
    const verdict = first.isMeasure ? {...(await siege.carryOut(attack)), firstAttempt: first.failures} : first;
    verdicts.push(verdict);
    run.onVerdict(verdict);
  }
  await siege.end();
  return verdicts;
}

function familyOf({name, flags = [], around}: Attack): string {
  return [name.slice(0, name.indexOf('/')), around?.name, ...flags].join(' ');
}

class Siege {
  #victim: Victim | undefined;
  #family = '';
  /** What attacks have left in the store of this server by design. */
  #leftMegabytes = 0;
  #attacker: AttackerProcess | undefined;
  #prober: ProberProcess | undefined;

  constructor(readonly run: StoreRun) {}

  async carryOut(attack: Attack): Promise<Verdict> {
    try {
      return await this.#carryOut(attack);
    } catch (error) {
      // Whatever it is, the attacks behind it meet a new server.
      await this.end();
      const nothing = {seconds: 0, probed: undefined, machine: 1, peakMegabytes: 0, recovery: undefined, tally: undefined, errors: []};
      const broken = [`the attack could not be made: ${(error as Error).message}`];
      return judge(attack, {attack: attack.name, store: this.run.store, ...nothing, broken}, this.run.bounds);
    }
  }

  async end(): Promise<void> {
    await this.#attacker?.end();
    await this.#prober?.end();
    await this.#endVictim();
  }

  async #carryOut(attack: Attack): Promise<Verdict> {
    const {bounds, seed, store} = this.run;
    const victim = await this.#victimFor(attack);
    if (!this.#attacker || this.#attacker.hasEnded) this.#attacker = new HelperProcess('attacker-main.js', attackerNiceness);
    if (!this.#prober || this.#prober.hasEnded) this.#prober = new HelperProcess('prober-main.js');
    const seconds = attack.seconds ?? defaultSeconds;
    const broken: string[] = [];
    const errorsBefore = errorLines(victim).length;
    const namespace = await victim.newNamespace();
    const options = {server: victim.besieged, namespace, seed, seconds};
    await this.#attacker.order({kind: 'prepare', name: attack.name, options}, prepareMillis);
    victim.forgetPeak();
    await this.#prober.order({kind: 'begin', server: victim.besieged, pid: victim.process.pid, path: probedPath}, prepareMillis);

    const started = performance.now();
    const tally = await this.#attacker.order({kind: 'attack'}, seconds * 1000 + graceMillis).then(
      ({report}) => report,
      (error: unknown) => void broken.push(`the attack: ${(error as Error).message}`),
    );
    const took = (performance.now() - started) / 1000;
    // What is still open would go on doing harm.
    if (broken.length > 0) await this.#attacker.end();
    const recovery = this.#recovery(victim, attack);
    const probed = await this.#prober.order({kind: 'end'}, prepareMillis).then(
      (reply) => reply.probed,
      (error: unknown) => void broken.push(`the probe: ${(error as Error).message}`),
    );
    const recovered = await recovery;
    if (victim.hasEnded) broken.unshift(`the server ended: ${lastWords(victim)}`);
    const measured: Measured = {
      attack: attack.name,
      store,
      seconds: took,
      probed: victim.hasEnded ? undefined : probed,
      machine: probed && isLate(probed, bounds) ? await excusedSlowness() : 1,
      peakMegabytes: victim.hasEnded ? 0 : victim.resident().peak,
      recovery: recovered,
      tally,
      broken,
      errors: errorLines(victim).slice(errorsBefore),
    };
    const verdict = judge(attack, measured, bounds);
    if (verdict.failures.length > 0) await this.#endVictim();
    return verdict;
  }

  async #victimFor(attack: Attack): Promise<Victim> {
    const family = familyOf(attack);
    if (this.#victim && (this.#family !== family || this.#victim.hasEnded)) await this.#endVictim();
    this.#victim ??= await Victim.start(this.run.authority, await this.run.emptyStore(), attack);
    this.#family = family;
    return this.#victim;
  }

  async #endVictim(): Promise<void> {
    await this.#victim?.end();
    this.#victim = undefined;
    this.#leftMegabytes = 0;
  }

  /** Waits until the server is near idle again. */
  async #recovery(victim: Victim, {leavesMegabytes = 0}: Attack): Promise<Recovery | undefined> {
    const {idleSeconds, idleMegabytes, idleCpu} = this.run.bounds;
    this.#leftMegabytes += leavesMegabytes;
    const from = performance.now();
    try {
      for (;;) {
        const [cpuBefore, before] = [victim.cpu(), performance.now()];
        await sleep(lookMillis);
        const cpu = ((victim.cpu() - cpuBefore) * 1000) / (performance.now() - before);
        const residentMegabytes = victim.resident().now;
        const seconds = (before - from) / 1000;
        if (cpu <= idleCpu && residentMegabytes <= victim.idleMegabytes + idleMegabytes + this.#leftMegabytes)
          return {seconds, residentMegabytes, cpu};
        if (seconds > idleSeconds) return {seconds: undefined, residentMegabytes, cpu};
      }
    } catch {
      // The process is gone, and there is nothing to read of it.
      return undefined;
    }
  }
}

/** Whole lines of the log with the level `error` or worse: faults in the server, whatever was answered. */
function errorLines(victim: Victim): string[] {
  return victim.process
    .logs()
    .split('\n')
    .filter((line) => /^\{"level":"?(?:error|fatal|50|60)/.test(line));
}

function lastWords(victim: Victim): string {
  const {exitCode, signalCode} = victim.process.child;
  const last = victim.process
    .logs()
    .split('\n')
    .filter((line) => /FATAL|Error|error/.test(line))
    .at(-1);
  return `${signalCode ?? `exit code ${exitCode}`} ${last?.slice(0, 200) ?? ''}`;
}
