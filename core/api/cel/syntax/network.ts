import {grammarOf, type Element} from './grammar.js';
import type {TokenKind} from './tokens.js';

/** A way from a state to another one: with a token, through a rule, or without anything. */
export interface Transition {
  readonly target: State;
  readonly kinds?: ReadonlySet<TokenKind>;
  /** The first state of the rule that comes before `target`. */
  readonly through?: State;
  readonly precedence?: number;
  /** It can only be taken in a rule that was begun with this precedence or a lower one. */
  readonly level?: number;
}

export interface State {
  readonly rule: string;
  readonly transitions: Transition[];
  /** Whether the rule ends here. */
  isEnd: boolean;
  /** Where a choice or loop begins, and where a loop comes back. */
  role: 'begin' | 'back' | undefined;
}

/** An element of a rule with the states where it begins and ends. */
export interface Step {
  readonly element: Element;
  readonly state: State;
  readonly end: State;
  readonly parts: readonly Step[];
  /** Of a loop: where one alternative is chosen, and where it comes back. */
  readonly inner?: State;
  readonly back?: State;
}

/** The rules of the grammar as states and transitions. */
export interface Network {
  readonly steps: ReadonlyMap<string, Step>;
  readonly starts: ReadonlyMap<string, State>;
  /** For each rule, the states after its uses. */
  readonly follows: ReadonlyMap<string, readonly State[]>;
}

const networks = new Map<boolean, Network>();

export function networkOf(withBackquotes: boolean): Network {
  let network = networks.get(withBackquotes);
  if (!network) networks.set(withBackquotes, (network = build(grammarOf(withBackquotes))));
  return network;
}

function build(grammar: Readonly<Record<string, Element>>): Network {
  const starts = new Map<string, State>();
  const follows = new Map<string, State[]>();
  const newState = (rule: string): State => ({rule, transitions: [], isEnd: false, role: undefined});
  for (const name of Object.keys(grammar)) {
    starts.set(name, newState(name));
    follows.set(name, []);
  }
  const stepOf = (rule: string, element: Element): Step => {
    const state = newState(rule);
    switch (element.is) {
      case 'tokens': {
        const end = newState(rule);
        state.transitions.push({target: end, kinds: new Set(element.kinds)});
        return {element, state, end, parts: []};
      }
      case 'precedence': {
        const end = newState(rule);
        state.transitions.push({target: end, level: element.level});
        return {element, state, end, parts: []};
      }
      case 'rule': {
        const end = newState(rule);
        state.transitions.push({target: end, through: starts.get(element.name)!, precedence: element.precedence});
        follows.get(element.name)!.push(end);
        return {element, state, end, parts: []};
      }
      case 'sequence': {
        const parts = element.parts.map((part) => stepOf(rule, part));
        state.transitions.push({target: parts[0]!.state});
        for (const [at, part] of parts.entries()) if (at > 0) parts[at - 1]!.end.transitions.push({target: part.state});
        return {element, state, end: parts.at(-1)!.end, parts};
      }
      default:
        return blockOf(rule, element, state);
    }
  };
  const blockOf = (rule: string, element: Element & {alternatives: readonly Element[]}, state: State): Step => {
    const end = newState(rule);
    const parts = element.alternatives.map((alternative) => stepOf(rule, alternative));
    state.role = 'begin';
    if (element.is === 'choice' || element.is === 'maybe') {
      for (const part of parts) {
        state.transitions.push({target: part.state});
        part.end.transitions.push({target: end});
      }
      if (element.is === 'maybe') state.transitions.push({target: end});
      return {element, state, end, parts};
    }
    const back = newState(rule);
    back.role = 'back';
    const inner = element.is === 'any' ? newState(rule) : state;
    inner.role = 'begin';
    for (const part of parts) {
      inner.transitions.push({target: part.state});
      part.end.transitions.push({target: back});
    }
    if (element.is === 'any') state.transitions.push({target: inner}, {target: end});
    // The first way goes round once more.
    back.transitions.push({target: state}, ...(element.is === 'any' ? [] : [{target: end}]));
    return {element, state, end, parts, inner, back};
  };
  const steps = new Map<string, Step>();
  for (const [name, element] of Object.entries(grammar)) {
    const step = stepOf(name, element);
    starts.get(name)!.transitions.push({target: step.state});
    step.end.isEnd = true;
    steps.set(name, step);
  }
  return {steps, starts, follows};
}

/** The tokens that can come next in a rule, and whether it can end before. */
export interface Next {
  readonly kinds: ReadonlySet<TokenKind>;
  readonly canEnd: boolean;
}

const known = new WeakMap<State, Next>();

export function nextOf(state: State): Next {
  let next = known.get(state);
  if (!next) {
    const kinds = new Set<TokenKind>();
    const canEnd = collect(state, kinds, new Set());
    known.set(state, (next = {kinds, canEnd}));
  }
  return next;
}

function collect(state: State, kinds: Set<TokenKind>, seen: Set<State>): boolean {
  if (seen.has(state)) return false;
  seen.add(state);
  let canEnd = state.isEnd;
  for (const {target, kinds: own, through} of state.transitions) {
    if (own) for (const kind of own) kinds.add(kind);
    else if (through) {
      // No rule is empty, but a rule that is entered twice is looked at once.
      collect(through, kinds, new Set(seen));
    } else if (collect(target, kinds, seen)) canEnd = true;
  }
  return canEnd;
}
