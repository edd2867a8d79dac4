import type {Network, State} from './network.js';
import type {Token, TokenKind} from './tokens.js';

/** Where rules go on when they end; the last of them is on top. */
interface Stack {
  readonly state: State;
  readonly below: Stack | undefined;
}

interface Configuration {
  readonly state: State;
  readonly stack: Stack | undefined;
  /** The number of the alternative that leads here. */
  readonly alternative: number;
  /** Whether the rule of the decision has ended on the way. */
  readonly isOutside: boolean;
}

/** Which alternative goes on with the tokens; or the position of the token with which none does. */
export type Prediction = {readonly alternative: number} | {readonly failedAt: number};

/**
 * Looks ahead until one alternative is left (the first stage of ANTLR's adaptive prediction: beyond the rule of the decision, whatever may
 * follow any of its uses can follow).
 *
 * @param next position of the next token
 * @param precedence with which the rule was begun
 */
export function predict(network: Network, from: State, tokens: readonly Token[], next: number, precedence: number): Prediction {
  let configurations = new Configurations(network, precedence);
  for (const [at, {target}] of from.transitions.entries())
    configurations.add({state: target, stack: undefined, alternative: at + 1, isOutside: false});
  for (let position = next; ; position += 1) {
    const {kind} = tokens[position]!;
    const reached = configurations.after(kind);
    if (reached.all.length === 0) {
      const ended = configurations.all.filter(({state, stack, isOutside}) => isOutside || (state.isEnd && stack === undefined));
      return ended.length === 0 ? {failedAt: position} : {alternative: least(ended)};
    }
    if (kind === 'EOF' || reached.isDecided()) return {alternative: least(reached.all)};
    configurations = reached;
  }
}

function least(configurations: readonly Configuration[]): number {
  return Math.min(...configurations.map(({alternative}) => alternative));
}

class Configurations {
  readonly all: Configuration[] = [];
  readonly #seen = new Map<State, Configuration[]>();
  readonly #network: Network;
  readonly #precedence: number;

  constructor(network: Network, precedence: number) {
    this.#network = network;
    this.#precedence = precedence;
  }

  /** Adds a state with all that can be reached from it without a token. */
  add(configuration: Configuration): void {
    const {state, stack, alternative, isOutside} = configuration;
    const known = this.#seen.get(state);
    if (known?.some((other) => other.alternative === alternative && isSame(other.stack, stack))) return;
    if (known) known.push(configuration);
    else this.#seen.set(state, [configuration]);
    this.all.push(configuration);
    if (state.isEnd) {
      if (stack) this.add({state: stack.state, stack: stack.below, alternative, isOutside});
      else
        for (const follow of this.#network.follows.get(state.rule)!)
          this.add({state: follow, stack: undefined, alternative, isOutside: true});
    }
    for (const {target, kinds, through, level} of state.transitions) {
      if (kinds) continue;
      // Within the rule of the decision it is known how the rule was begun.
      if (level !== undefined && stack === undefined && !isOutside && level < this.#precedence) continue;
      if (through) this.add({state: through, stack: {state: target, below: stack}, alternative, isOutside});
      else this.add({state: target, stack, alternative, isOutside});
    }
  }

  after(kind: TokenKind): Configurations {
    const reached = new Configurations(this.#network, this.#precedence);
    for (const {state, stack, alternative, isOutside} of this.all)
      for (const {target, kinds} of state.transitions) if (kinds?.has(kind)) reached.add({state: target, stack, alternative, isOutside});
    return reached;
  }

  /** Whether one alternative is left, or those that are will never be told apart. */
  isDecided(): boolean {
    const alternatives = new Set(this.all.map(({alternative}) => alternative));
    if (alternatives.size === 1) return true;
    let isSomewhereSame = false;
    for (const [state, found] of this.#seen) {
      if (!state.transitions.some(({kinds}) => kinds)) continue;
      if (found.every(({alternative}) => alternative === found[0]!.alternative)) return false;
      isSomewhereSame ||= found.some((one) =>
        found.some((other) => other.alternative !== one.alternative && isSame(other.stack, one.stack)),
      );
    }
    return isSomewhereSame;
  }
}

function isSame(a: Stack | undefined, b: Stack | undefined): boolean {
  while (a !== b) {
    if (a?.state !== b?.state) return false;
    a = a!.below;
    b = b!.below;
  }
  return true;
}
