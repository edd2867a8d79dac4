import type {Teardown} from '../../test/helpers/temp-folder.js';
import type {Attacker} from './client/attacker.js';
import type {Outcome} from './client/outcome.js';

/** Something that a server has around it when it starts: a backend, an issuer of tokens. */
export interface Around {
  readonly name: string;
  /** Starts it. Answers further flags of the server. @param folder for files that the flags name */
  readonly start: (t: Teardown, folder: string) => Promise<readonly string[]>;
}

/** Flags of a server that has what came behind 1.26, the release that is attacked otherwise. */
export const ofToday: readonly string[] = ['--release', '1.36'];

/** One way to do a server harm, bounded in count and time. */
export interface Attack {
  /** Family and name, as in `pipelining/health`. */
  readonly name: string;
  /**
   * What shows that the attack arrived where it aimed at: at least one of these has to be among the outcomes. An attack that is refused
   * for another reason (a wrong path, missing rights) tests nothing.
   */
  readonly outcomes: readonly Outcome[];
  /** How long it goes on at most, in seconds; 1 by default. */
  readonly seconds?: number;
  /** Objects of this many megabytes are left in the store, which the server holds in memory; 0 by default. */
  readonly leavesMegabytes?: number;
  /** Whether the store has no part in it: one store is enough then. */
  readonly storeless?: boolean;
  /**
   * Messages of errors that the server has to log under this attack: it really loses something. Each of them a few times at most.
   */
  readonly logs?: readonly string[];
  /** Further flags of the server that is attacked. */
  readonly flags?: readonly string[];
  /** What the server needs around it from its start. */
  readonly around?: Around;
  /** Makes what the attack needs, with all rights, before anything is measured. */
  readonly prepare?: (attacker: Attacker) => Promise<void>;
  readonly run: (attacker: Attacker) => Promise<void>;
}

/** Attacks whose names begin with the family's, and what they have in common. */
export function family(name: string, attacks: readonly Attack[], common: Partial<Attack> = {}): Attack[] {
  return attacks.map((attack) => ({...common, ...attack, name: `${name}/${attack.name}`}));
}
